"""Logs of single I/Os -> exact totals: every operation and its bytes stand in the log.

The value of a bandwidth log is that of one I/O alone and of an IOPS log always 1 (fio(1),
"write_iops_log"), so both are taken from the number and the sizes of the entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from apps.tools.parse_result import Latency, Measurement, Series
from apps.tools.values import Values

from .columns import Columns
from .grid import Floats, Grid
from .latencies import LONGEST, Latencies
from .names import LogKind

COUNTED: tuple[LogKind, ...] = ("lat", "clat", "bw", "iops", "slat")


@dataclass
class _Sums:
    """Sums of all logs of one kind in a direction, by place of the grid."""

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
    wanted: LogKind = "lat",
) -> Measurement | None:
    """One direction; None where it did nothing. `unit`: nanoseconds in a latency log's unit;
    `wanted`: the latency to describe where several were logged.
    """
    kind = next((kind for kind in COUNTED if _has(logs.get(kind, ()), number)), None)
    if kind is None:
        return None
    sums = _summed(logs[kind], number, grid)
    total = next((k for k in COUNTED[:2] if _has(logs.get(k, ()), number)), None)
    times, spent = _latencies(logs[total], number, grid, unit) if total else (None, None)
    longest = _longest(logs[total], number, grid, unit) if total else None
    named = wanted if _has(logs.get(wanted, ()), number) else total
    if named and named != total:
        # The series shows total latency all the same, as the result's mean does.
        times, _ = _latencies(logs[named], number, grid, unit)
    seconds = (sums.last - sums.first) / 1000
    values = _values(sums, seconds) | ({"percentiles_of": named} if named else {})
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
        mine = log.direction == number
        times, sizes = log.time[mine], log.size[mine]
        if not times.size:
            continue
        places = grid.places(times)
        sums.operations += np.bincount(places, minlength=grid.slots)
        sums.transferred += np.bincount(places, sizes, minlength=grid.slots)
        sums.total += times.size
        first.append(int(times.min()))
        last.append(int(times.max()))
        if len(sums.sizes) < 2:
            sums.sizes.update(np.unique(sizes)[:2].tolist())
    # The test began when its log did: at 0, or where a ramp time or a date says otherwise.
    begin = min(first) - grid.origin
    sums.first = (begin if begin > max(1000, grid.step) else 0) + grid.origin
    sums.last = max(last)
    return sums


def _latencies(
    logs: Sequence[Columns], number: int, grid: Grid, unit: int
) -> tuple[Latencies, Floats]:
    """All latencies of a direction in ns, and their sum by place of the grid."""
    times, spent = Latencies(), np.zeros(grid.slots)
    for log in logs:
        mine = log.direction == number
        values = np.minimum(log.value[mine].astype(np.int64), LONGEST // unit) * unit
        times.add(values)
        spent += np.bincount(grid.places(log.time[mine]), values, minlength=grid.slots)
    return times, spent


def _longest(logs: Sequence[Columns], number: int, grid: Grid, unit: int) -> Floats:
    """The longest latency of a direction in ns, by place of the grid; unknown without an I/O."""
    result = np.full(grid.slots, np.nan)
    for log in logs:
        mine = log.direction == number
        values = np.minimum(log.value[mine].astype(np.int64), LONGEST // unit) * unit
        np.fmax.at(result, grid.places(log.time[mine]), values.astype(np.float64))
    return result


def _values(sums: _Sums, seconds: float) -> Values:
    return {
        "total_ios": sums.total,
        "io_bytes": int(sums.transferred.sum()),
        "runtime": seconds,
    }


def _series(sums: _Sums, spent: Floats | None, longest: Floats | None, grid: Grid) -> list[Series]:
    """Rates are zero where no I/O ended; a mean latency is unknown there. The pieces of a step at
    both ends of the run say nothing about a whole one.
    """
    first, last = (int(grid.places(np.array([each]))[0]) for each in (sums.first, sums.last))
    whole = np.zeros(grid.slots, bool)
    whole[first + ((sums.first - grid.origin) % grid.step > 0) : last + (grid.step == 1)] = True
    scale = 1000 / grid.step
    metrics = {
        "bandwidth": np.where(whole, sums.transferred * scale, np.nan),
        "iops": np.where(whole, sums.operations * scale, np.nan),
    }
    if spent is not None:
        some = sums.operations > 0
        metrics["latency_mean"] = np.full(grid.slots, np.nan)
        metrics["latency_mean"][some] = spent[some] / sums.operations[some]
    if longest is not None:
        metrics["latency_max"] = longest
    found = (grid.series(metric, values) for metric, values in metrics.items())
    return [series for series in found if series is not None]
