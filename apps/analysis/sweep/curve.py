"""A run's figures over one parameter: a curve for each tuning, such as IOPS by queue depth."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.analysis.sweep.queueing import in_flight, knee, useful_depth
from apps.analysis.table.grid import Result
from apps.results.case.devices_said import said_utilisations
from apps.results.case.over_time import extents
from apps.results.models import Series
from apps.runs.models import Run
from apps.tools.metrics import COMPARED
from apps.tools.registry import is_concurrency
from apps.tuning.order import tuning_key

UTILISATION = "utilisation"


@dataclass(frozen=True)
class Asked:
    """What the page shows. `fixed` holds the other parameters that vary, each at one value."""

    x: str
    operation: str
    target: str
    fixed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Point:
    """The repeats at one x: medians by metric (and the device's utilisation), and a case."""

    x: float
    medians: Mapping[str, float | None]
    repeats: int
    case: int

    @property
    def in_flight(self) -> float | None:
        """Operations in flight by Little's law."""
        iops, latency = self.medians.get("iops"), self.medians.get("latency_mean")
        return None if iops is None or latency is None else in_flight(iops, latency)


@dataclass(frozen=True)
class Curve:
    """One tuning's points, x ascending."""

    tuning: str
    points: tuple[Point, ...]
    throughput: str = "iops"

    @property
    def knee(self) -> float | None:
        """Where the rise ends (apps.analysis.sweep.queueing.knee)."""
        rows = [(p.x, value) for p in self.points if (value := p.medians.get(self.throughput))]
        return knee(rows)

    @property
    def useful_depth(self) -> float | None:
        """Beyond how many in flight only the latency grows; None where depth is not swept."""
        rates = [rate for p in self.points if (rate := p.medians.get("iops"))]
        alone = self.points[0].medians.get("latency_mean") if self.points else None
        if self.throughput != "iops" or not rates or alone is None:
            return None
        return useful_depth(max(rates), alone)


def curves_of(
    results: Iterable[Result], asked: Asked, used: Mapping[int, float]
) -> tuple[Curve, ...]:
    """The curves, tuning by tuning in their usual order. `used`: the device's
    mean utilisation in percent by case.
    """
    found: dict[str, dict[float, list[Result]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        x = result.params.get(asked.x)
        if isinstance(x, int | float) and _wanted(result, asked):
            found[result.tuning][x].append(result)
    rate = _rate(found, asked)
    return tuple(
        Curve(tuning, tuple(_point(x, rows, used) for x, rows in sorted(places.items())), rate)
        for tuning, places in sorted(found.items(), key=lambda row: tuning_key(row[0]))
    )


def _rate(found: Mapping[str, Mapping[float, Sequence[Result]]], asked: Asked) -> str:
    """If a parameter says how much is in flight the rise of IOPS matters, of others (block and
    record sizes) that of the bandwidth.
    """
    tools = {row.tool for places in found.values() for rows in places.values() for row in rows}
    return "iops" if any(is_concurrency(tool, asked.x) for tool in tools) else "bandwidth"


def _wanted(result: Result, asked: Asked) -> bool:
    here = (result.operation, result.target) == (asked.operation, asked.target)
    return here and all(str(result.params.get(name)) == value for name, value in asked.fixed)


def _point(x: float, rows: Sequence[Result], used: Mapping[int, float]) -> Point:
    medians: dict[str, float | None] = {}
    for key in COMPARED:
        known = [value for row in rows if (value := row.values.get(key)) is not None]
        medians[key] = statistics.median(known) if known else None
    busy = [used[row.case] for row in rows if row.case in used]
    medians[UTILISATION] = statistics.median(busy) if busy else None
    return Point(x, medians, len(rows), rows[0].case)


def utilisations(run: Run, cases: Iterable[int]) -> dict[int, float]:
    """The mean utilisation, in percent, of the busiest device under each of these cases: as
    benchlab saw it, else as the tool says."""
    found: dict[int, float] = {}
    rows = list(Series.objects.filter(
        attempt__case__run=run,
        attempt__case_id__in=set(cases),
        source=Series.Source.DEVICE,
        metric=UTILISATION,
    ).select_related("attempt"))  # fmt: skip
    over_time = extents(rows)
    for series in rows:
        if series.pk in over_time:
            case = series.attempt.case_id
            found[case] = max(found.get(case, 0.0), over_time[series.pk].mean)
    return said_utilisations(run, set(cases) - set(found)) | found
