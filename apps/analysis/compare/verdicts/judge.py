"""Every level against the baseline: what was measured, and what may be said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from apps.analysis.compare.changes import Change, change_of
from apps.analysis.compare.matching.groups import Group
from apps.analysis.compare.matching.repeats import Floats, Ints, Repeats
from apps.analysis.compare.question import Question
from apps.analysis.compare.stats import Effect, Spread, order_check, spread
from apps.analysis.compare.stats.spread import extent
from apps.analysis.compare.verdicts.chains import ChainCell, effects_of, judged
from apps.analysis.compare.verdicts.family import (
    CHAIN,
    RATES,
    Pair,
    chain_of,
    main_of,
    wanted_metric,
)
from apps.analysis.compare.verdicts.heads import HeadVerdicts
from apps.analysis.compare.verdicts.pair_chains import Chain, PairChains
from apps.analysis.compare.verdicts.pairs import PairColumns, numbered
from apps.analysis.compare.verdicts.variability import Variability, variabilities
from apps.analysis.compare.verdicts.verdict import CONCLUSIONS, Verdict
from apps.analysis.compare.verdicts.windows_verdict import apart_verdicts
from apps.common.charts import thin
from apps.common.verdicts import VerdictKind
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

    @cached_property
    def change(self) -> Change:
        """The change between the medians of both sides, with the estimate."""
        return change_of(extent(self.a)[1], extent(self.b)[1], self.effect)


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
    metric that is tested before the others; `spreads`: by level, metrics whose spread differs. What
    only a shown table needs is worked out when it is asked for; `fill` does that for many at once.
    """

    repeats: Repeats
    group: Group
    pairs: tuple[Pair, ...]
    said: tuple[Mapping[str, Verdict], ...]
    separated: tuple[str, ...]
    main: str
    spreads: tuple[Mapping[str, Variability], ...]

    @cached_property
    def lines(self) -> tuple[MetricLine, ...]:
        return _lines([self])[0]

    def measured(self, metric: str) -> bool:
        """Whether any repeat of the group has a value of it."""
        return metric in self._measured

    @cached_property
    def _measured(self) -> frozenset[str]:
        return frozenset().union(*(pair.measured for pair in self.pairs))

    def line(self, metric: str) -> MetricLine | None:
        return next((line for line in self.lines if line.metric == metric), None)

    @cached_property
    def drifts(self) -> tuple[str, ...]:
        """Levels beside which the figures follow the clock."""
        return tuple(pair.level for pair in self.pairs if _drifts(self.repeats, pair))


class Results(Sequence[ComparedResult]):
    """The results of all groups; an object is made of those that are looked at. `mains`: the main
    metric of each group.
    """

    def __init__(self, pairs: PairColumns, chains: PairChains, mains: Sequence[str]) -> None:
        self._pairs, self._chains, self.mains = pairs, chains, mains
        self._judged = judged(chains)
        self._made: dict[int, ComparedResult] = {}

    def __len__(self) -> int:
        return len(self.mains)

    @overload
    def __getitem__(self, place: int) -> ComparedResult: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[ComparedResult, ...]: ...

    def __getitem__(self, place: int | slice) -> ComparedResult | tuple[ComparedResult, ...]:
        if isinstance(place, slice):
            return tuple(self[number] for number in range(*place.indices(len(self))))
        number = range(len(self))[place]
        if number not in self._made:
            self._made[number] = self._result(number)
        return self._made[number]

    @property
    def tested(self) -> tuple[str, ...]:
        """The metrics that are tested where those before them show a difference."""
        found = {metric for chain in self._chains.different for metric in chain}
        for chain, twins, bits, *_rest in self._steps[0]:
            found |= _steps(chain, twins, bits).keys()
        return tuple(metric for metric in COMPARED if metric in found)

    @property
    def family(self) -> int:
        """The number of comparisons that were tested."""
        return int(np.count_nonzero(self._judged.said & ~np.isnan(self._judged.p)))

    @cached_property
    def heads(self) -> HeadVerdicts:
        """The headline's verdict of each pair, in the order of pairs."""
        names = list(VerdictKind)
        kinds = np.array([names.index(kind) for kind, _code in CONCLUSIONS])[self._judged.code]
        (steps, of), places = self._steps, np.arange(len(self._pairs))
        heads = [self._head(*found) for found in steps]
        at = np.array([-1 if head is None else head for head in heads], dtype=np.int64)[of]
        found = np.where(at < 0, names.index(VerdictKind.TOO_FEW), kinds[places, at])
        return HeadVerdicts(found, np.where(at < 0, np.nan, self._judged.ratio[places, at]))

    def pair(self, place: int) -> tuple[ComparedResult, int]:
        """The result of the pair at this place, and the pair's number in it."""
        group = int(self._pairs.group[place])
        return self[group], place - self._pairs.of_group(group).start

    def _head(
        self, chain: Chain, twins: bool, bits: int, measured: frozenset[str], main: str
    ) -> int | None:
        steps = _steps(chain, twins, bits)
        usable = (metric for metric in (main, *COMPARED) if metric in steps and metric in measured)
        return next((steps[metric] for metric in usable), None)

    @cached_property
    def _steps(self) -> tuple[list[tuple[Chain, bool, int, frozenset[str], str]], Ints]:
        """Verdicts there are on a pair, thousands of which are alike: its chain, whether rates are
        twins, the places that have one as bits, metrics of its group, the main one.
        """
        pairs, chains, group = self._pairs, self._chains, self._pairs.group.tolist()
        said = self._judged.said
        bits = (said @ (1 << np.arange(said.shape[1], dtype=np.int64))).tolist()
        rows = zip(
            map(chains.different.__getitem__, chains.of.tolist()),
            pairs.same_information.tolist(),
            bits,
            map(pairs.measured.__getitem__, group),
            map(self.mains.__getitem__, group),
            strict=True,
        )
        return numbered(rows)

    def _result(self, number: int) -> ComparedResult:
        pairs, places = self._pairs, self._pairs.of_group(number)
        made = tuple(map(pairs.pair, places))
        return ComparedResult(
            pairs.repeats,
            pairs.groups[number],
            made,
            tuple(map(self._named, places)),
            tuple(one.level for one, at in zip(made, places, strict=True) if pairs.separated[at]),
            self.mains[number],
            tuple(self._spreads.get(place, {}) for place in places),
        )

    @cached_property
    def _spreads(self) -> dict[int, dict[str, Variability]]:
        """By pair: spreads that differ, by the metric that its chain begins with."""
        chains = self._chains
        return {
            place: {chains.different[chains.of[place]][0]: one}
            for place, one in variabilities(chains).items()
        }

    def _named(self, place: int) -> dict[str, Verdict]:
        """Verdicts by metric; bandwidth and IOPS that say the same have the same one."""
        steps, of = self._steps
        chain, twins, bits, *_rest = steps[of[place]]
        found = {at: self._judged.verdict(place, at) for at in range(len(chain)) if bits >> at & 1}
        named = {metric: found[at] for metric, at in _steps(chain, twins, bits).items()}
        apart = self._pairs.windows_apart[place]
        beside = apart_verdicts(self._pairs.repeats, self._pairs.pair(place), apart)
        return beside | {metric: one for metric, one in named.items() if one is not None}


def _steps(chain: Chain, twins: bool, bits: int) -> dict[str, int]:
    """Places of the verdicts in a chain by metric."""
    steps = {metric: at for at, metric in enumerate(chain) if bits >> at & 1}
    if twins and (rate := next((metric for metric in RATES if metric in steps), None)):
        steps |= dict.fromkeys(RATES, steps[rate])
    return steps


def judge(repeats: Repeats, groups: Sequence[Group], question: Question) -> Results:
    """Every group's result."""
    pairs = PairColumns(repeats, groups, question.factor)
    mains = _mains(pairs, question)
    of_pairs = map(mains.__getitem__, pairs.group.tolist())
    rows = zip(pairs.testable, pairs.same_information.tolist(), of_pairs, strict=True)
    different, of = numbered(rows)
    chains = [chain_of(*found, question.metrics) for found in different]
    return Results(pairs, PairChains(pairs, question, [chains[one] for one in of]), mains)


def _mains(pairs: PairColumns, question: Question) -> list[str]:
    """The main metric of each group: the first that was asked for, or that of its workload."""
    one = question.metrics[0] if len(question.metrics) == 1 else ""
    if one and METRICS[one].higher_is_better is not None:
        return [one] * len(pairs.groups)
    points = pairs.repeats.points
    of = pairs.repeats.point[pairs.rows[pairs.starts[pairs.a[pairs.first]]]].tolist()
    sizes = pairs.baseline_sizes[pairs.first].tolist()
    wanted = [
        wanted_metric(size, points[point].params) for size, point in zip(sizes, of, strict=True)
    ]
    rows = zip(wanted, _present(pairs), strict=True)
    different, numbers = numbered(rows)
    found = [main_of(*row) for row in different]
    asked = [metric for metric in CHAIN if metric in question.metrics]
    found = [asked[0] if asked and main not in asked else main for main in found]
    return [found[number] for number in numbers.tolist()]


def _present(pairs: PairColumns) -> list[frozenset[str]]:
    """The metrics that both sides of any pair of each group have."""
    ends = pairs.ends.tolist()
    return [
        pairs.present[first] if end == first + 1 else frozenset().union(*pairs.present[first:end])
        for first, end in zip(pairs.first.tolist(), ends, strict=True)
    ]


def fill(results: Sequence[ComparedResult]) -> None:
    """Work out the lines of these results together, which is quicker than one by one."""
    for result, lines in zip(results, _lines(results), strict=True):
        result.__dict__["lines"] = lines


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
