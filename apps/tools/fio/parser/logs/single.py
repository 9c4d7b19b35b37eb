"""Exact totals from logs of single I/Os, which have every operation and its bytes.

The value of a bandwidth log is that of one I/O, that of an IOPS log is always 1 (fio(1),
"write_iops_log"). Both metrics are computed from the number and sizes of the entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from apps.tools.parse_result import Latency, Measurement, Series
from apps.tools.values import Values

from .columns import Columns
from .grid import Floats, Grid
from .latencies import MAX_LATENCY_NS, Latencies
from .names import LogKind

COUNTED: tuple[LogKind, ...] = ("lat", "clat", "bw", "iops", "slat")


@dataclass
class _Sums:
    """Sums of all logs of one kind in a direction, by slot of the grid."""

    operations: Floats
    transferred: Floats
    total: int = 0
    first: int = 0
    last: int = 0
    sizes: set[int] = field(default_factory=set)


def measure(
    operation: str,
    number: int,
    logs: Mapping[LogKind, Sequence[Columns]],
    grid: Grid,
    unit: int,
    latency_kind: LogKind = "lat",
) -> Measurement | None:
    """Return the measurement of one direction; None without I/O.

    `unit`: nanoseconds in a latency log's unit; `latency_kind`: the latency to describe if several
    were logged.
    """
    kind = next((kind for kind in COUNTED if _has(logs.get(kind, ()), number)), None)
    if kind is None:
        return None
    sums = _summed(logs[kind], number, grid)
    total = next((k for k in COUNTED[:2] if _has(logs.get(k, ()), number)), None)
    times, spent = _latencies(logs[total], number, grid, unit) if total else (None, None)
    longest = _longest(logs[total], number, grid, unit) if total else None
    described = latency_kind if _has(logs.get(latency_kind, ()), number) else total
    if described and described != total:
        # The series still shows total latency, as the result's mean does.
        times, _ = _latencies(logs[described], number, grid, unit)
    seconds = (sums.last - sums.first) / 1000
    values = _values(sums, seconds) | ({"percentiles_of": described} if described else {})
    submission, _ = _latencies(logs.get("slat", ()), number, grid, unit)
    if submission.count:
        values["slat"] = {
            "min": submission.shortest,
            "max": submission.longest,
            "mean": submission.sum / submission.count,
        }
    return Measurement(
        operation=operation,
        bandwidth=int(sums.transferred.sum()) / seconds if seconds else None,
        iops=sums.total / seconds if seconds else None,
        latency=times.latency() if times else Latency(),
        params={"bs": sums.sizes.pop()} if len(sums.sizes) == 1 else {},
        values=values,
        series=_series(sums, spent, longest, grid),
        histogram=times.histogram if times else None,
    )


def _has(logs: Sequence[Columns], number: int) -> bool:
    return any((log.direction == number).any() for log in logs)


def _summed(logs: Sequence[Columns], number: int, grid: Grid) -> _Sums:
    sums = _Sums(np.zeros(grid.slots), np.zeros(grid.slots))
    first, last = [], []
    for log in logs:
        is_direction = log.direction == number
        times, sizes = log.time[is_direction], log.size[is_direction]
        if not times.size:
            continue
        slots = grid.slots_of(times)
        sums.operations += np.bincount(slots, minlength=grid.slots)
        sums.transferred += np.bincount(slots, sizes, minlength=grid.slots)
        sums.total += times.size
        first.append(int(times.min()))
        last.append(int(times.max()))
        if len(sums.sizes) < 2:
            sums.sizes.update(np.unique(sizes)[:2].tolist())
    # The test began when its log did: at 0, unless a ramp time or a date shifts it.
    begin = min(first) - grid.origin
    sums.first = (begin if begin > max(1000, grid.step) else 0) + grid.origin
    sums.last = max(last)
    return sums


def _latencies(
    logs: Sequence[Columns], number: int, grid: Grid, unit: int
) -> tuple[Latencies, Floats]:
    """Return all latencies of a direction in ns, and their sum by slot of the grid."""
    times, spent = Latencies(), np.zeros(grid.slots)
    for log in logs:
        is_direction = log.direction == number
        values = np.minimum(log.value[is_direction].astype(np.int64), MAX_LATENCY_NS // unit) * unit
        times.add(values)
        spent += np.bincount(grid.slots_of(log.time[is_direction]), values, minlength=grid.slots)
    return times, spent


def _longest(logs: Sequence[Columns], number: int, grid: Grid, unit: int) -> Floats:
    """Return the longest latency of a direction in ns, by slot; NaN without an I/O."""
    result = np.full(grid.slots, np.nan)
    for log in logs:
        is_direction = log.direction == number
        values = np.minimum(log.value[is_direction].astype(np.int64), MAX_LATENCY_NS // unit) * unit
        np.fmax.at(result, grid.slots_of(log.time[is_direction]), values.astype(np.float64))
    return result


def _values(sums: _Sums, seconds: float) -> Values:
    return {
        "total_ios": sums.total,
        "io_bytes": int(sums.transferred.sum()),
        "runtime": seconds,
    }


def _series(sums: _Sums, spent: Floats | None, longest: Floats | None, grid: Grid) -> list[Series]:
    """Return the series of a direction.

    Rates are zero in slots without I/O; a mean latency is unknown there. Partial steps at both ends
    of the run are omitted, because they do not represent a step.
    """
    first, last = (int(grid.slots_of(np.array([each]))[0]) for each in (sums.first, sums.last))
    whole = np.zeros(grid.slots, bool)
    whole[first + ((sums.first - grid.origin) % grid.step > 0) : last + (grid.step == 1)] = True
    scale = 1000 / grid.step
    metrics = {
        "bandwidth": np.where(whole, sums.transferred * scale, np.nan),
        "iops": np.where(whole, sums.operations * scale, np.nan),
    }
    if spent is not None:
        has_operations = sums.operations > 0
        metrics["latency_mean"] = np.full(grid.slots, np.nan)
        metrics["latency_mean"][has_operations] = (
            spent[has_operations] / sums.operations[has_operations]
        )
    if longest is not None:
        metrics["latency_max"] = longest
    result = (grid.series(metric, values) for metric, values in metrics.items())
    return [series for series in result if series is not None]
