"""Every level against the baseline: what was measured, and what may be said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from apps.analysis.compare.matching.groups import Group
from apps.analysis.compare.matching.guard import Guard
from apps.analysis.compare.matching.repeats import Floats, Ints, Repeats
from apps.analysis.compare.question import Question
from apps.analysis.compare.stats import Effect, Spread, order_check, spread
from apps.analysis.compare.verdicts.chains import Blocks, ChainCell, chains_judged, effects_of
from apps.analysis.compare.verdicts.family import (
    CHAIN,
    RATES,
    CountedConditions,
    Pair,
    chain_of,
    main_metric,
)
from apps.analysis.compare.verdicts.looked import looks_between
from apps.analysis.compare.verdicts.verdict import Verdict
from apps.common.charts import thin
from apps.tools.metrics import COMPARED, METRICS

MOST_IN_TREND = 200
"""Values of a pair whose trend is looked at; more are thinned evenly, which keeps a trend."""


@dataclass(frozen=True)
class Entry:
    """One metric of one level (`b`) against the baseline's (`a`), values in the order of
    measurement. `verdict` is None where it was not tested (`effect` still says how far the figures
    lie apart).
    """

    metric: str
    level: str
    a: Floats
    b: Floats
    verdict: Verdict | None
    effect: Effect

    @cached_property
    def spread(self) -> Spread:
        return spread(self.b)


@dataclass(frozen=True)
class MetricLine:
    """One metric of a group: every other level's entry against the baseline."""

    metric: str
    entries: tuple[Entry, ...]

    @cached_property
    def baseline(self) -> Spread:
        return spread(self.entries[0].a)


@dataclass(frozen=True)
class ComparedResult:
    """A group, its levels against the baseline, and what was said of each by metric; `main`: the
    metric that is tested before the others. What only a shown table needs is worked out when it is
    asked for; `fill` does that for many at once.
    """

    repeats: Repeats
    group: Group
    pairs: tuple[Pair, ...]
    said: tuple[Mapping[str, Verdict], ...]
    separated: tuple[str, ...]
    main: str

    @cached_property
    def lines(self) -> tuple[MetricLine, ...]:
        return _lines([self])[0]

    def measured(self, metric: str) -> bool:
        """Whether any repeat of the group has a value of it."""
        return any(metric in pair.measured for pair in self.pairs)

    def line(self, metric: str) -> MetricLine | None:
        return next((line for line in self.lines if line.metric == metric), None)

    @cached_property
    def drifts(self) -> tuple[str, ...]:
        """Levels beside which the figures follow the clock."""
        return tuple(pair.level for pair in self.pairs if _drifts(self.repeats, pair))


def judge(
    repeats: Repeats, groups: Sequence[Group], question: Question
) -> tuple[tuple[ComparedResult, ...], tuple[str, ...], int]:
    """Every group's result, the metrics that are tested where those before them show a difference,
    and how many comparisons were tested.
    """
    guard = Guard(repeats, question.factor)
    by_group = _pairs(repeats, groups, guard)
    mains = [_main(repeats, pairs, question) for pairs in by_group]
    pairs = [(pair, main) for mine, main in zip(by_group, mains, strict=True) for pair in mine]
    chains = [
        _Chain(repeats, question, pair, chain_of(pair, main, question.metrics))
        for pair, main in pairs
    ]
    said = [
        _named(chain, found) for chain, found in zip(chains, chains_judged(chains), strict=True)
    ]
    rest = iter(said)
    results = tuple(
        ComparedResult(
            repeats,
            group,
            mine,
            tuple(next(rest) for _pair in mine),
            tuple(pair.level for pair in mine if guard.separated(pair.a, pair.b)),
            main,
        )
        for group, mine, main in zip(groups, by_group, mains, strict=True)
    )
    tested = {metric for chain in chains for metric in chain.metrics} | {
        metric for one in said for metric in one
    }
    different = {id(v): v for one in said for v in one.values() if v.p is not None}
    return results, tuple(metric for metric in COMPARED if metric in tested), len(different)


def _main(repeats: Repeats, pairs: Sequence[Pair], question: Question) -> str:
    """The main metric of a group: the first that was asked for, or that of its workload."""
    one = question.metrics[0] if len(question.metrics) == 1 else ""
    if one and METRICS[one].higher_is_better is not None:
        return one
    found = main_metric(pairs, pairs[0].size, repeats.points[repeats.point[pairs[0].a[0]]].params)
    asked = [metric for metric in CHAIN if metric in question.metrics]
    return asked[0] if asked and found not in asked else found


class _Chain(Sequence[ChainCell]):
    """The comparisons of a pair, made when they are asked for."""

    def __init__(
        self, repeats: Repeats, question: Question, pair: Pair, metrics: tuple[str, ...]
    ) -> None:
        self._repeats, self._question = repeats, question
        self.pair, self.metrics = pair, metrics

    def __len__(self) -> int:
        return len(self.metrics)

    def __getitem__(self, place: Any) -> Any:
        return _cell(self._repeats, self._question, self.pair, self.metrics[place], self._blocks)

    @cached_property
    def _blocks(self) -> Blocks | None:
        return _blocks(self._repeats, self._question, self.pair)


def _named(chain: _Chain, found: Sequence[Verdict | None]) -> dict[str, Verdict]:
    """Verdicts by metric; bandwidth and IOPS that say the same have the same one."""
    said = {m: v for m, v in zip(chain.metrics, found, strict=True) if v is not None}
    if chain.pair.same_information and (one := next((m for m in RATES if m in said), None)):
        said |= dict.fromkeys(RATES, said[one])
    return said


def fill(results: Sequence[ComparedResult]) -> None:
    """Work out the lines of these results together, which is quicker than one by one."""
    for result, lines in zip(results, _lines(results), strict=True):
        result.__dict__["lines"] = lines


def _pairs(repeats: Repeats, groups: Sequence[Group], guard: Guard) -> list[tuple[Pair, ...]]:
    sides = [rows for group in groups for rows in group.sides.values()]
    if not sides:
        return []
    counted, first = CountedConditions(repeats, sides), 0
    found = []
    for group in groups:
        a, *others = group.sides.items()
        found.append(tuple(
            Pair(
                level, a[1], rows, guard.differences(a[1], rows),
                counted.values[first], counted.values[number],
                counted.same_information(first, number), counted.size(first),
            )
            for number, (level, rows) in enumerate(others, first + 1)
        ))  # fmt: skip
        first += len(group.sides)
    return found


def _cell(
    repeats: Repeats, question: Question, pair: Pair, metric: str, blocks: Blocks | None
) -> ChainCell:
    values = repeats.metric(metric)
    known = pair.counts(metric) == (len(pair.a), len(pair.b)) and not repeats.has_negative
    return ChainCell(
        a=values.take(pair.a),
        b=values.take(pair.b),
        higher_is_better=METRICS[metric].higher_is_better is not False,
        minimum_effect=question.minimum / 100,
        differing_factors=[str(difference) for difference in pair.differing],
        blocks=blocks,
        whole=known,
    )


def _blocks(repeats: Repeats, question: Question, pair: Pair) -> Blocks | None:
    """The blocks of both sides with the times of measurement; None where a repeat has none, and
    between runs, which share no block.
    """
    a, b = repeats.block.take(pair.a), repeats.block.take(pair.b)
    if question.factor == "run" or not (repeats.all_in_blocks or (a.all() and b.all())):
        return None
    looks = looks_between(repeats.looks, int(min(a[0], b[0])), int(max(a[-1], b[-1])))
    timed = repeats.all_timed or (repeats.timed[pair.a].all() and repeats.timed[pair.b].all())
    if not timed:
        return Blocks(a, b, looks=looks)
    return Blocks(a, b, repeats.moments.take(pair.a), repeats.moments.take(pair.b), looks)


def _lines(results: Sequence[ComparedResult]) -> list[tuple[MetricLine, ...]]:
    """The lines of each; a metric that no repeat of a group has is no line."""
    wanted = [
        (result, number, metric)
        for result in results
        for metric in COMPARED
        if result.measured(metric)
        for number in range(len(result.pairs))
    ]
    untested = [
        place
        for place, (result, number, metric) in enumerate(wanted)
        if metric not in result.said[number]
    ]
    effects = dict(
        zip(
            untested, effects_of([_side_by_side(*wanted[place]) for place in untested]), strict=True
        )
    )
    lines: dict[tuple[int, str], list[Entry]] = {}
    for place, (result, number, metric) in enumerate(wanted):
        a, b = _sides(result, number, metric)
        verdict = result.said[number].get(metric)
        effect = verdict.effect if verdict else effects[place]
        entry = Entry(metric, result.pairs[number].level, a, b, verdict, effect)
        lines.setdefault((id(result), metric), []).append(entry)
    return [
        tuple(
            MetricLine(metric, tuple(lines[id(result), metric]))
            for metric in COMPARED
            if (id(result), metric) in lines
        )
        for result in results
    ]


def _sides(result: ComparedResult, number: int, metric: str) -> tuple[Floats, Floats]:
    values, pair = result.repeats.metric(metric), result.pairs[number]
    return values[pair.a], values[pair.b]


def _side_by_side(result: ComparedResult, number: int, metric: str) -> ChainCell:
    return ChainCell(*_sides(result, number, metric), True)


def _drifts(repeats: Repeats, pair: Pair) -> bool:
    """Whether the first metric that has values follows the order of measurement."""
    if not (repeats.timed[pair.a].all() and repeats.timed[pair.b].all()):
        return False
    for metric in COMPARED[:3]:
        if all(pair.counts(metric)):
            a, b = _timed(repeats, pair.a, metric), _timed(repeats, pair.b, metric)
            check = order_check(
                [v for _, v in a], [v for _, v in b], [at for at, _ in a], [at for at, _ in b]
            )
            return check.drift.drifts
    return False


def _timed(repeats: Repeats, rows: Ints, metric: str) -> list[tuple[float, float]]:
    values = repeats.metric(metric)[rows]
    found = zip(repeats.at[rows].tolist(), values.tolist(), strict=True)
    return thin([(at, value) for at, value in found if value == value], MOST_IN_TREND // 2)
