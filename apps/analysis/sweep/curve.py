"""Curves over one parameter, made of the repeats and verdicts of a comparison.

So both always agree. Pure, except `curves_of` and `utilisations`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from django.db.models import Max

from apps.analysis.repeats.repeat_kinds import RepeatKind, RepeatKinds
from apps.analysis.repeats.repeats import Ints, Repeats
from apps.analysis.repeats.representative import nearest
from apps.analysis.sweep.forms import axis_position, line_key
from apps.analysis.sweep.knees import Knee, PointSample, knee_of
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.verdict import Verdict
from apps.results.models import Series
from apps.results.presenters.tool_disk_stats import reported_utilisations
from apps.stats.queueing import in_flight, useful_depth
from apps.stats.spread import Spread, spread
from apps.tools.fields import CONCURRENCY, Role
from apps.tools.metrics import COMPARISON_METRICS, TABLE_METRICS
from apps.tools.registry import is_concurrency, role_of
from apps.tools.workloads.order import name_key, workload_order
from apps.tuning.domain.baseline import tuning_key

UTILISATION = "utilisation"
MAX_SINGLE_IN_FLIGHT = 1.5
"""Limit of operations in flight that counts as one."""


@dataclass(frozen=True)
class PointVerdicts:
    """Verdicts on a level, and the blocks of baseline and level, by metric."""

    by_metric: Mapping[str, Verdict]
    blocks: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class CurvePoint:
    """Repeats at one x, in the order of measurement: values and spread by metric.

    `measurement`: the one with throughput nearest to the median. `verdicts`: of the comparison, by
    metric; `blocks`: of baseline and level, by metric of a verdict. `sample`: repeats for the knee.
    """

    x: float
    values: Mapping[str, tuple[float, ...]]
    spreads: Mapping[str, Spread]
    repeats: int
    measurement: int
    verdicts: Mapping[str, Verdict]
    blocks: Mapping[str, tuple[int, int]]
    sample: PointSample

    def median(self, metric: str) -> float | None:
        """Return the median in the metric's unit; None without values."""
        result = self.spreads.get(metric)
        return result.median if result else None

    def interval(self, metric: str) -> tuple[float | None, float | None]:
        """Return the interval of the median; None, None with fewer than six values."""
        result = self.spreads.get(metric)
        return (result.low, result.high) if result else (None, None)

    @property
    def in_flight(self) -> float | None:
        """Return operations in flight by Little's law."""
        iops, latency = self.median("iops"), self.median("latency_mean")
        return None if iops is None or latency is None else in_flight(iops, latency)


@dataclass(frozen=True)
class Curve:
    """Points of one level on one target, x ascending; infinity is the whole disk.

    `first`: the workload at the smallest x; `rest`: its parameters without x and the factor.
    `role`: meaning of x to the tool.
    """

    level: str
    where: str
    first: RepeatKind
    rest: tuple[tuple[str, str], ...]
    points: tuple[CurvePoint, ...]
    throughput: str = "iops"
    role: Role | None = None

    @property
    def is_load(self) -> bool:
        """Return True if x is a number of parallel operations."""
        return self.role in CONCURRENCY

    @cached_property
    def knee(self) -> Knee | None:
        """Return the end of the rise; None if x is no load."""
        return knee_of([point.sample for point in self.points]) if self.is_load else None

    @property
    def peak(self) -> CurvePoint | None:
        """Return the point of the highest throughput."""
        measured = [p for p in self.points if p.median(self.throughput)]
        return max(measured, key=lambda p: p.median(self.throughput) or 0.0, default=None)

    @property
    def useful_depth(self) -> float | None:
        """Return the operations in flight below which the highest rate cannot be reached.

        None if x is no load, or if the lowest x has more than one in flight.
        """
        rates = [rate for p in self.points if (rate := p.median("iops"))]
        first = self.points[0]
        alone = first.median("latency_mean")
        if (
            not self.is_load
            or not rates
            or alone is None
            or (first.in_flight or 0) > MAX_SINGLE_IN_FLIGHT
        ):
            return None
        return useful_depth(max(rates), alone)

    def at(self, x: float) -> CurvePoint | None:
        """Return the point at this x."""
        return next((point for point in self.points if point.x == x), None)


def curves_of(
    comparison: ComparisonResult,
    kinds: RepeatKinds,
    drawn: Sequence[RepeatKind],
    x: str,
    used: Mapping[int, float],
) -> tuple[Curve, ...]:
    """Return the curves of these kinds, in the comparison's order of levels.

    `used`: mean utilisation of the device in percent by measurement.
    """
    lines: dict[tuple[object, ...], dict[float, list[RepeatKind]]] = defaultdict(dict)
    for kind in drawn:
        position = axis_position(kind, x)
        if position is not None:
            lines[line_key(kind, x)].setdefault(position, []).append(kind)
    verdicts = _verdicts(comparison)
    load = any(is_concurrency(kind.tool, x) for kind in drawn)
    iops = comparison.repeats.metric("iops")[kinds.rows(drawn)]
    rate = "iops" if load and np.isfinite(iops).any() else "bandwidth"
    curves = []
    for kinds_by_value in lines.values():
        first = kinds_by_value[min(kinds_by_value)][0]
        points = tuple(
            _point(comparison.repeats, kinds.rows(here), value, rate, verdicts, used)
            for value, here in sorted(kinds_by_value.items())
        )
        rest = _other_params(first, {x, comparison.query.param})
        role = role_of(first.tool, x)
        curves.append(Curve(first.tuning, first.where, first, rest, points, rate, role))
    order = {level: position for position, level in enumerate(comparison.levels)}
    return tuple(sorted(curves, key=lambda curve: _order(curve, x, order)))


def _other_params(kind: RepeatKind, without: set[str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((n, str(v)) for n, v in kind.params.items() if n not in without))


def _order(curve: Curve, x: str, levels: Mapping[str, int]) -> tuple[object, ...]:
    first = curve.first
    position = workload_order(first.tool, first.params, x), name_key(curve.where)
    return (*position, levels.get(curve.level, len(levels)), tuning_key(curve.level))


def _point(
    repeats: Repeats,
    rows: Ints,
    x: float,
    rate: str,
    verdicts: Mapping[int, PointVerdicts],
    used: Mapping[int, float],
) -> CurvePoint:
    values = {key: tuple(_finite_values(repeats.metric(key)[rows])) for key in COMPARISON_METRICS}
    values = {key: result for key, result in values.items() if result or key in TABLE_METRICS}
    measured = repeats.measurement[rows].tolist()
    values[UTILISATION] = tuple(used[one] for one in measured if one in used)
    spreads = {key: spread(result) for key, result in values.items() if result}
    mine = verdicts.get(int(rows[0]), PointVerdicts({}, {}))
    return CurvePoint(
        x=x,
        values=values,
        spreads=spreads,
        repeats=len(rows),
        measurement=measured[nearest(repeats.metric(rate)[rows])],
        verdicts=mine.by_metric,
        blocks=mine.blocks,
        sample=_sample(repeats, rows, x, rate),
    )


def _sample(repeats: Repeats, rows: Ints, x: float, rate: str) -> PointSample:
    measured = rows[np.isfinite(repeats.metric(rate)[rows])]
    values, blocks = repeats.metric(rate)[measured].tolist(), repeats.block[measured].tolist()
    return PointSample(x, tuple(values), tuple(blocks))


def _finite_values(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[float]:
    result: list[float] = values[np.isfinite(values)].tolist()
    return result


def _verdicts(comparison: ComparisonResult) -> dict[int, PointVerdicts]:
    """Return the comparison's verdicts on each repeat's level, by the repeat's row."""
    by_row: dict[int, PointVerdicts] = {}
    for result in comparison.results:
        for number, pair in enumerate(result.pairs):
            verdicts, repeats = result.verdicts[number], result.repeats
            blocks = {
                metric: (repeats.blocks(metric, pair.a), repeats.blocks(metric, pair.b))
                for metric in verdicts
            }
            by_row |= dict.fromkeys(pair.b.tolist(), PointVerdicts(verdicts, blocks))
    return by_row


def utilisations(cases: Iterable[int]) -> dict[int, float]:
    """Return the mean utilisation in percent of the busiest device of each case.

    Measured by benchlab, else reported by the tool.
    """
    case_ids = set(cases)
    rows = Series.objects.filter(
        attempt__case__in=case_ids,
        source=Series.Source.DEVICE,
        metric=UTILISATION,
        value_count__gt=0,
    )
    result = dict(rows.order_by().values_list("attempt__case").annotate(Max("mean")))
    return reported_utilisations(case_ids - set(result)) | result
