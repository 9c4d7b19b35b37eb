"""Every level against the baseline: what was measured, and what may be said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from apps.analysis.compare.family import Counted, Pair, choose_metrics
from apps.analysis.compare.groups import Group
from apps.analysis.compare.guard import Guard
from apps.analysis.compare.question import Question
from apps.analysis.compare.repeats import Floats, Ints, Repeats
from apps.analysis.compare.stats import Effect, Spread, order_check, spread
from apps.analysis.compare.verdict import Cell, Verdict, effects_of, verdicts
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
class Line:
    """One metric of a group: every other level's entry against the baseline."""

    metric: str
    entries: tuple[Entry, ...]

    @cached_property
    def baseline(self) -> Spread:
        return spread(self.entries[0].a)


@dataclass(frozen=True)
class Result:
    """A group, its levels against the baseline, and what was said of each by metric. What only a
    shown table needs is worked out when it is asked for; `fill` does that for many at once.
    """

    repeats: Repeats
    group: Group
    pairs: tuple[Pair, ...]
    said: tuple[Mapping[str, Verdict], ...]
    separated: tuple[str, ...]

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        return _lines([self])[0]

    def measured(self, metric: str) -> bool:
        """Whether any repeat of the group has a value of it."""
        return any(any(pair.counts(metric)) for pair in self.pairs)

    def line(self, metric: str) -> Line | None:
        return next((line for line in self.lines if line.metric == metric), None)

    @cached_property
    def drifts(self) -> tuple[str, ...]:
        """Levels beside which the figures follow the clock."""
        return tuple(pair.level for pair in self.pairs if _drifts(self.repeats, pair))


def judge(
    repeats: Repeats, groups: Sequence[Group], question: Question
) -> tuple[tuple[Result, ...], tuple[str, ...], int]:
    """Every group's result, the tested metrics, and how many comparisons were corrected as one."""
    guard = Guard(repeats, question.factor)
    by_group = _pairs(repeats, groups, guard)
    pairs = [pair for mine in by_group for pair in mine]
    tested = choose_metrics(pairs, question.metrics)
    cells = [
        (pair, metric)
        for pair in pairs
        for metric in tested
        if metric != "bandwidth" or "iops" not in tested or not pair.same_information
    ]
    found = verdicts(_cells(repeats, cells, question))
    said: dict[int, dict[str, Verdict]] = {id(pair): {} for pair in pairs}
    for (pair, metric), verdict in zip(cells, found, strict=True):
        said[id(pair)][metric] = verdict
    if "bandwidth" in tested:
        for mine in said.values():
            mine |= {"bandwidth": mine["iops"]} if "bandwidth" not in mine else {}
    results = tuple(
        Result(
            repeats,
            group,
            mine,
            tuple(said[id(pair)] for pair in mine),
            tuple(pair.level for pair in mine if guard.separated(pair.a, pair.b)),
        )
        for group, mine in zip(groups, by_group, strict=True)
    )
    return results, tested, sum(verdict.p is not None for verdict in found)


def fill(results: Sequence[Result]) -> None:
    """Work out the lines of these results together, which is quicker than one by one."""
    for result, lines in zip(results, _lines(results), strict=True):
        result.__dict__["lines"] = lines


def _pairs(repeats: Repeats, groups: Sequence[Group], guard: Guard) -> list[tuple[Pair, ...]]:
    sides = [rows for group in groups for rows in group.sides.values()]
    if not sides:
        return []
    counted, first = Counted(repeats, sides), 0
    found = []
    for group in groups:
        a, *others = group.sides.items()
        found.append(tuple(
            Pair(
                level, a[1], rows, guard.differences(a[1], rows),
                counted.values[first], counted.values[number],
                counted.same_information(first, number),
            )
            for number, (level, rows) in enumerate(others, first + 1)
        ))  # fmt: skip
        first += len(group.sides)
    return found


def _cells(repeats: Repeats, wanted: Sequence[tuple[Pair, str]], question: Question) -> list[Cell]:
    metrics = {metric: repeats.metric(metric) for _pair, metric in wanted}
    found = []
    for pair, metric in wanted:
        blocks = repeats.block[pair.a], repeats.block[pair.b]
        whole = question.factor != "run" and bool(blocks[0].all() and blocks[1].all())
        values = metrics[metric]
        found.append(Cell(
            a=values[pair.a],
            b=values[pair.b],
            higher_is_better=METRICS[metric].higher_is_better is not False,
            minimum_effect=question.minimum / 100,
            differing_factors=[str(difference) for difference in pair.differing],
            blocks=blocks if whole else None,
        ))  # fmt: skip
    return found


def _lines(results: Sequence[Result]) -> list[tuple[Line, ...]]:
    """The lines of each; a metric that no repeat of a group has is no line."""
    wanted = [
        (result, number, metric)
        for result in results
        for metric in COMPARED
        if result.measured(metric)
        for number in range(len(result.pairs))
    ]
    sides = [_sides(result, number, metric) for result, number, metric in wanted]
    untested = [
        place
        for place, (result, number, metric) in enumerate(wanted)
        if metric not in result.said[number]
    ]
    effects = dict(zip(untested, effects_of([sides[place] for place in untested]), strict=True))
    lines: dict[tuple[int, str], list[Entry]] = {}
    for place, ((result, number, metric), (a, b)) in enumerate(zip(wanted, sides, strict=True)):
        verdict = result.said[number].get(metric)
        effect = verdict.effect if verdict else effects[place]
        entry = Entry(metric, result.pairs[number].level, a, b, verdict, effect)
        lines.setdefault((id(result), metric), []).append(entry)
    return [
        tuple(
            Line(metric, tuple(lines[id(result), metric]))
            for metric in COMPARED
            if (id(result), metric) in lines
        )
        for result in results
    ]


def _sides(result: Result, number: int, metric: str) -> tuple[Floats, Floats]:
    values, pair = result.repeats.metric(metric), result.pairs[number]
    return values[pair.a], values[pair.b]


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
