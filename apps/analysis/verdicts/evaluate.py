"""Evaluation of every level against the baseline: values and verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats.groups import Group
from apps.analysis.repeats.repeats import Floats, Ints, Repeats
from apps.analysis.verdicts.batches import ChainCell
from apps.analysis.verdicts.chains import effects_of, evaluate_chains
from apps.analysis.verdicts.changes import Change, change_of
from apps.analysis.verdicts.level_pairs import level_pairs
from apps.analysis.verdicts.multiplicity import (
    CHAIN,
    RATES,
    Pair,
    chain_of,
    main_of,
    preferred_metric,
)
from apps.analysis.verdicts.pair_chains import chains_of
from apps.analysis.verdicts.variability import Variability, variabilities
from apps.analysis.verdicts.verdict import Verdict
from apps.analysis.verdicts.verdict_text import kind_of
from apps.analysis.verdicts.windows_verdict import window_verdicts
from apps.common.domain.charts import pick_evenly
from apps.common.domain.verdicts import DIFFERENCE_SHOWN, VerdictKind
from apps.stats.drift import drift_of_sides
from apps.stats.effect import Effect
from apps.stats.spread import Extent, Spread, extent, spread
from apps.tools.metrics import COMPARISON_METRICS, METRICS

MAX_TREND_VALUES = 200
"""Limit of values of a pair for the trend test; more are sampled evenly."""


@dataclass(frozen=True)
class MetricComparison:
    """Metric of one level (`b`) against the baseline's (`a`), values in the order of measurement.

    `verdict` is None if it was not tested; `effect` is always set.
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
    def baseline_extent(self) -> Extent:
        return extent(self.a)

    @cached_property
    def extent(self) -> Extent:
        return extent(self.b)

    @cached_property
    def change(self) -> Change:
        """Return the change between the medians of both sides, with the estimate."""
        return change_of(self.baseline_extent[1], self.extent[1], self.effect)

    @property
    def p(self) -> float | None:
        return self.verdict.p if self.verdict else None

    @property
    def p_corrected(self) -> float | None:
        return self.verdict.p_adjusted if self.verdict else None

    @property
    def kind(self) -> VerdictKind:
        return kind_of(self.verdict)


@dataclass(frozen=True)
class MetricLine:
    """Metric of a group: every level against the baseline."""

    metric: str
    entries: tuple[MetricComparison, ...]

    @cached_property
    def baseline(self) -> Spread:
        return spread(self.entries[0].a)


@dataclass(frozen=True)
class ComparedResult:
    """Group with its levels against the baseline, and the verdicts of each by metric.

    `main`: metric that is tested first; `spreads`: by level, metrics whose spread differs. `lines`
    are computed on access; `fill_entries` computes those of many results at once.
    """

    repeats: Repeats
    group: Group
    pairs: tuple[Pair, ...]
    verdicts: tuple[Mapping[str, Verdict], ...]
    main: str
    spreads: tuple[Mapping[str, Variability], ...]

    @property
    def separated(self) -> tuple[str, ...]:
        """Return levels of which one side was measured completely before the other."""
        return tuple(pair.level for pair in self.pairs if pair.separated)

    def head(self, number: int) -> Verdict | None:
        """Return the headline's verdict on a level: main metric, else the first tested one."""
        verdicts = self.verdicts[number]
        usable = (metric for metric in (self.main, *COMPARISON_METRICS) if metric in verdicts)
        return next((verdicts[metric] for metric in usable if self.measured(metric)), None)

    def stopped_by(self, number: int) -> str:
        """Return the metric that shows no difference, so that later ones are not tested; or ""."""
        verdicts = self.verdicts[number]
        tested = (one for one in (self.main, *COMPARISON_METRICS) if one in verdicts)
        return next(
            (m for m in tested if self.measured(m) and verdicts[m].kind not in DIFFERENCE_SHOWN), ""
        )

    @cached_property
    def lines(self) -> tuple[MetricLine, ...]:
        return _lines([self])[0]

    def measured(self, metric: str) -> bool:
        """Return True if any repeat of the group has a value of the metric."""
        return metric in self._measured

    @cached_property
    def _measured(self) -> frozenset[str]:
        return frozenset().union(*(pair.measured for pair in self.pairs))

    def line(self, metric: str) -> MetricLine | None:
        return next((line for line in self.lines if line.metric == metric), None)

    @property
    def entries(self) -> Iterator[MetricComparison]:
        """Yield every metric of every level."""
        return (entry for line in self.lines for entry in line.entries)

    @cached_property
    def drifts(self) -> tuple[str, ...]:
        """Return levels whose values have a trend over time."""
        return tuple(pair.level for pair in self.pairs if _has_trend(self.repeats, pair))


@dataclass(frozen=True)
class Evaluation:
    """Results of all groups.

    `tested`: metrics that are tested, given differences in those before them; `family`: number of
    tested comparisons.
    """

    results: tuple[ComparedResult, ...]
    tested: tuple[str, ...]
    family: int


def evaluate(repeats: Repeats, groups: Sequence[Group], query: ComparisonQuery) -> Evaluation:
    """Return the result of every group."""
    of_groups = level_pairs(repeats, groups, query.factor)
    mains = [_main_metric(repeats, pairs, query) for pairs in of_groups]
    pairs = [pair for pairs in of_groups for pair in pairs]
    of_pairs = [main for main, pairs in zip(mains, of_groups, strict=True) for _pair in pairs]
    metrics = [
        chain_of(pair.testable, pair.same_information, main, query.metrics)
        for pair, main in zip(pairs, of_pairs, strict=True)
    ]
    chains = chains_of(repeats, pairs, metrics, query)
    verdicts, spreads = evaluate_chains(chains), variabilities(chains)
    tests = zip(pairs, metrics, verdicts, strict=True)
    named = [_verdicts_by_metric(pair, chain, result) for pair, chain, result in tests]
    tested = {metric for chain in metrics for metric in chain}.union(*named)
    results, end = [], 0
    for group, mine, main in zip(groups, of_groups, mains, strict=True):
        indices = range(end, end := end + len(mine))
        results.append(
            ComparedResult(
                repeats, group, mine,
                tuple(window_verdicts(repeats, pairs[at]) | named[at] for at in indices), main,
                tuple({metrics[at][0]: spreads[at]} if at in spreads else {} for at in indices),
            )
        )  # fmt: skip
    return Evaluation(
        tuple(results),
        tuple(metric for metric in COMPARISON_METRICS if metric in tested),
        sum(one is not None and one.p is not None for result in verdicts for one in result),
    )


def _verdicts_by_metric(
    pair: Pair, chain: Sequence[str], result: Sequence[Verdict | None]
) -> dict[str, Verdict]:
    """Return verdicts by metric; bandwidth and IOPS with the same information share one."""
    named = {metric: one for metric, one in zip(chain, result, strict=True) if one is not None}
    rate = next((metric for metric in RATES if metric in named), None)
    if pair.same_information and rate:
        named |= dict.fromkeys(RATES, named[rate])
    return named


def _main_metric(repeats: Repeats, pairs: Sequence[Pair], query: ComparisonQuery) -> str:
    """Return the main metric of a group: the first requested, or that of its workload."""
    one = query.metrics[0] if len(query.metrics) == 1 else ""
    if one and METRICS[one].higher_is_better is not None:
        return one
    base = pairs[0]
    entries = preferred_metric(base.size, repeats.points[repeats.point[base.a[0]]].params)
    result = main_of(entries, frozenset().union(*(pair.present for pair in pairs)))
    requested = [metric for metric in CHAIN if metric in query.metrics]
    return requested[0] if requested and result not in requested else result


def fill_entries(results: Sequence[ComparedResult]) -> None:
    """Compute the lines of these results together, which is faster than one by one."""
    for result, lines in zip(results, _lines(results), strict=True):
        result.__dict__["lines"] = lines


def _lines(results: Sequence[ComparedResult]) -> list[tuple[MetricLine, ...]]:
    """Return the lines of each result, without metrics that no repeat has."""
    entries = [
        (result, number, metric)
        for result in results
        for metric in COMPARISON_METRICS
        if result.measured(metric)
        for number in range(len(result.pairs))
    ]
    untested = [
        index
        for index, (result, number, metric) in enumerate(entries)
        if metric not in result.verdicts[number]
    ]
    effects = dict(
        zip(
            untested,
            effects_of([_untested_cell(*entries[index]) for index in untested]),
            strict=True,
        )
    )
    lines: dict[tuple[int, str], list[MetricComparison]] = {}
    for index, (result, number, metric) in enumerate(entries):
        a, b = _sides(result, number, metric)
        verdict = result.verdicts[number].get(metric)
        effect = verdict.effect if verdict else effects[index]
        entry = MetricComparison(metric, result.pairs[number].level, a, b, verdict, effect)
        lines.setdefault((id(result), metric), []).append(entry)
    return [
        tuple(
            MetricLine(metric, tuple(lines[id(result), metric]))
            for metric in COMPARISON_METRICS
            if (id(result), metric) in lines
        )
        for result in results
    ]


def _sides(result: ComparedResult, number: int, metric: str) -> tuple[Floats, Floats]:
    values, pair = result.repeats.metric(metric), result.pairs[number]
    return values[pair.a], values[pair.b]


def _untested_cell(result: ComparedResult, number: int, metric: str) -> ChainCell:
    return ChainCell(*_sides(result, number, metric), True)


def _has_trend(repeats: Repeats, pair: Pair) -> bool:
    """Return True if the first metric with values has a trend in the order of measurement."""
    if not (repeats.timed[pair.a].all() and repeats.timed[pair.b].all()):
        return False
    for metric in COMPARISON_METRICS[:3]:
        if all(pair.counts(metric)):
            a, b = _timed_values(repeats, pair.a, metric), _timed_values(repeats, pair.b, metric)
            return drift_of_sides(
                [v for _, v in a], [v for _, v in b], [at for at, _ in a], [at for at, _ in b]
            ).drifts
    return False


def _timed_values(repeats: Repeats, rows: Ints, metric: str) -> list[tuple[float, float]]:
    values = repeats.metric(metric)[rows]
    result = zip(repeats.at[rows].tolist(), values.tolist(), strict=True)
    return pick_evenly(
        [(at, value) for at, value in result if value == value], MAX_TREND_VALUES // 2
    )
