"""Every level against the baseline: what was measured, and what may be said of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from apps.analysis.compare.family import Pair, choose_metrics, same_information
from apps.analysis.compare.groups import Group
from apps.analysis.compare.guard import differences, separated
from apps.analysis.compare.levels import Levels
from apps.analysis.compare.question import Question
from apps.analysis.compare.repeats import Repeat
from apps.analysis.compare.stats import Effect, Spread, hodges_lehmann_ratio, order_check, spread
from apps.analysis.compare.stats.samples import Values
from apps.analysis.compare.verdict import Cell, Verdict, verdicts
from apps.common.charts import thin
from apps.tools.metrics import COMPARED, METRICS

Place = tuple[str, str, str]
"""(group, level, metric)."""
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
    a: Values
    b: Values
    verdict: Verdict | None

    @cached_property
    def spread(self) -> Spread:
        return spread(self.b)

    @cached_property
    def effect(self) -> Effect:
        return self.verdict.effect if self.verdict else hodges_lehmann_ratio(self.a, self.b)


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
    """A group with its lines. What only a shown table needs is worked out when it is asked for."""

    group: Group
    lines: tuple[Line, ...]
    pairs: tuple[Pair, ...]

    def line(self, metric: str) -> Line | None:
        return next((line for line in self.lines if line.metric == metric), None)

    @cached_property
    def drifts(self) -> tuple[str, ...]:
        """Levels beside which the figures follow the clock."""
        return tuple(pair.level for pair in self.pairs if _drifts(pair))

    @cached_property
    def separated(self) -> tuple[str, ...]:
        """Levels that ran completely before or after the baseline."""
        return tuple(pair.level for pair in self.pairs if separated(pair.a, pair.b))


def judge(
    groups: Sequence[Group], levels: Levels, question: Question
) -> tuple[tuple[Result, ...], tuple[str, ...], int]:
    """Every group's result, the tested metrics, and how many comparisons were corrected as one."""
    pairs = [pair for group in groups for pair in _pairs(group, levels, question)]
    tested = choose_metrics(pairs, question.metrics)
    cells: list[tuple[Place, Cell]] = []
    for pair in pairs:
        for metric in tested:
            if metric != "bandwidth" or "iops" not in tested or not same_information(pair):
                cells.append((_place(pair, metric), _cell(pair, metric, question)))
    found = verdicts([cell for _, cell in cells])
    said = {place: verdict for (place, _), verdict in zip(cells, found, strict=True)}
    for pair in pairs:
        if "bandwidth" in tested and _place(pair, "iops") in said:
            said.setdefault(_place(pair, "bandwidth"), said[_place(pair, "iops")])
    by_group: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_group[pair.slug].append(pair)
    results = tuple(_result(group, by_group[group.slug], said) for group in groups)
    family = sum(verdict.p is not None for verdict in found)
    return results, tested, family


def _pairs(group: Group, levels: Levels, question: Question) -> list[Pair]:
    a = group.sides[levels.baseline]
    return [
        Pair(group.slug, level, a, b, tuple(differences(a, b, question.factor)))
        for level, b in group.sides.items()
        if level != levels.baseline
    ]


def _place(pair: Pair, metric: str) -> Place:
    return (pair.slug, pair.level, metric)


def _cell(pair: Pair, metric: str, question: Question) -> Cell:
    blocks = [[repeat.block for repeat in side] for side in (pair.a, pair.b)]
    whole = all(all(side) for side in blocks) and question.factor != "run"
    return Cell(
        a=_values(pair.a, metric),
        b=_values(pair.b, metric),
        higher_is_better=METRICS[metric].higher_is_better is not False,
        minimum_effect=question.minimum / 100,
        differing_factors=[str(difference) for difference in pair.differing],
        blocks=(blocks[0], blocks[1]) if whole else None,
    )


def _result(group: Group, pairs: Sequence[Pair], said: Mapping[Place, Verdict]) -> Result:
    lines = [_line(pairs, metric, said) for metric in COMPARED]
    return Result(group, tuple(line for line in lines if line is not None), tuple(pairs))


def _line(pairs: Sequence[Pair], metric: str, said: Mapping[Place, Verdict]) -> Line | None:
    """A metric that no repeat of the group has is no line."""
    a = _values(pairs[0].a, metric)
    entries = [
        Entry(metric, pair.level, a, _values(pair.b, metric), said.get(_place(pair, metric)))
        for pair in pairs
    ]
    measured = any(value is not None for e in entries for side in (a, e.b) for value in side)
    return Line(metric, tuple(entries)) if measured else None


def _drifts(pair: Pair) -> bool:
    """Whether the first metric that has values follows the order of measurement."""
    if not all(repeat.timed for repeat in (*pair.a, *pair.b)):
        return False
    for metric in COMPARED[:3]:
        a, b = _timed(pair.a, metric), _timed(pair.b, metric)
        if a and b:
            check = order_check(
                [v for _, v in a], [v for _, v in b], [at for at, _ in a], [at for at, _ in b]
            )
            return check.drift.drifts
    return False


def _timed(side: Sequence[Repeat], metric: str) -> list[tuple[float, float]]:
    found = [(r.at.timestamp(), v) for r in side if (v := r.value(metric)) is not None]
    return thin(found, MOST_IN_TREND // 2)


def _values(side: Sequence[Repeat], metric: str) -> list[float | None]:
    place = COMPARED.index(metric)
    return [repeat.values[place] for repeat in side]
