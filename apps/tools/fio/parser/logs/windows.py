"""Series and means from logs of windows (`log_avg_msec`).

A window's entry has no number of operations, so there are no totals. Bandwidth and IOPS are the
mean of the windows, and a mean latency is weighted by the IOPS of the same windows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from apps.tools.fio.parser.bins.bins import Integers
from apps.tools.parse_result import Latency, Measurement, Series
from apps.tools.series.stalls import LARGEST_OF, MEANS
from apps.tools.values import Values

from .columns import Columns
from .grid import Floats, Grid
from .names import LogKind

KIBIBYTE = 1024
TIMED: tuple[LogKind, ...] = ("lat", "clat")
Pieces = list[tuple[Integers, Integers]]


def measure(
    operation: str, number: int, logs: Mapping[LogKind, Sequence[Columns]], grid: Grid, unit: int
) -> Measurement | None:
    """Return the measurement of one direction; None without windows.

    `unit`: nanoseconds in a latency log's unit.
    """
    jobs = {kind: _jobs(columns, number, grid) for kind, columns in logs.items()}
    bandwidth, iops = _sum(jobs.get("bw", []), grid), _sum(jobs.get("iops", []), grid)
    latency_kind = next((kind for kind in TIMED if jobs.get(kind)), None)
    latency = _mean(jobs[latency_kind], jobs.get("iops", []), grid) if latency_kind else None
    metrics = {
        "bandwidth": _scaled(bandwidth, KIBIBYTE),
        "iops": iops,
        "latency_mean": _scaled(latency, unit),
    }
    exact = latency_kind is not None and all(log.largest is not None for log in logs[latency_kind])
    if latency_kind and (exact or len(jobs[latency_kind]) > 1):
        pieces = (
            _jobs(logs[latency_kind], number, grid, largest=True) if exact else jobs[latency_kind]
        )
        metrics["latency_max"] = _largest(pieces, grid) * unit
    series = [_series(metric, values, grid) for metric, values in metrics.items()]
    present = [each for each in series if each is not None]
    if not present:
        return None
    return Measurement(
        operation=operation,
        bandwidth=_overall(jobs.get("bw", []), KIBIBYTE),
        iops=_overall(jobs.get("iops", [])),
        latency=Latency(mean=_weighted(metrics["latency_mean"], iops)),
        values=_values(grid, latency_kind, metrics, exact),
        series=present,
    )


def _scaled(values: Floats | None, factor: int) -> Floats | None:
    """Multiply in place, to save memory: there may be millions of windows."""
    if values is not None and factor != 1:
        values *= factor
    return values


def _series(metric: str, values: Floats | None, grid: Grid) -> Series | None:
    return None if values is None else grid.series(metric, values)


def _values(
    grid: Grid, latency_kind: str | None, metrics: Mapping[str, Floats | None], exact: bool
) -> Values:
    values: Values = {"windows": grid.step / 1000}
    if latency_kind and metrics["latency_mean"] is not None:
        values["latency_of"] = latency_kind
    only_means = "latency_max" in metrics and not exact
    return values | ({LARGEST_OF: MEANS} if only_means else {})


def _jobs(logs: Sequence[Columns], number: int, grid: Grid, *, largest: bool = False) -> Pieces:
    """Return slots and values of each job, or the largest values of its windows.

    A log of all jobs (`per_job_logs=0`) has their windows one after another, each from the start.
    """
    result: Pieces = []
    for log in logs:
        is_direction = log.direction == number
        value = log.largest if largest and log.largest is not None else log.value
        is_single = bool(is_direction.all())  # avoids a copy
        times, values = (
            (log.time, value) if is_single else (log.time[is_direction], value[is_direction])
        )
        starts = np.flatnonzero(np.diff(times) < -(grid.step // 2)) + 1
        slots = np.split(grid.slots_of(times), starts)
        result += [
            pair for pair in zip(slots, np.split(values, starts), strict=True) if pair[0].size
        ]
    return result


def _by_slot(job: tuple[Integers, Integers], grid: Grid) -> Floats:
    """Return a job's values by slot, NaN if unknown; two entries of a slot are averaged."""
    slots, values = job
    if (slots[1:] > slots[:-1]).all():
        result = np.full(grid.slots, np.nan)
        result[slots] = values
        return result
    count = np.bincount(slots, minlength=grid.slots)
    result = np.full(grid.slots, np.nan)
    sums = np.bincount(slots, values, minlength=grid.slots)
    np.divide(sums, count, out=result, where=count > 0)
    return result


def _sum(jobs: Pieces, grid: Grid) -> Floats | None:
    """Return the sum of all jobs.

    It is unknown without entries, and in the slot after a job's last entry, where fio dropped its
    unfinished window.
    """
    if len(jobs) <= 1:
        return _by_slot(jobs[0], grid) if jobs else None
    total, any_value = np.zeros(grid.slots), np.zeros(grid.slots, bool)
    for job in jobs:
        values = _by_slot(job, grid)
        has_value = ~np.isnan(values)
        total[has_value] += values[has_value]
        any_value |= has_value
    for slots, _ in jobs:
        any_value[int(slots.max()) + 1 : int(slots.max()) + 2] = False
    return np.where(any_value, total, np.nan)


def _mean(jobs: Pieces, weights: Pieces, grid: Grid) -> Floats | None:
    """Return the mean of the jobs' means, weighted by their operations.

    Return None for several jobs with unknown operations: an unweighted mean of means is wrong.
    """
    if len(jobs) == 1:
        return _by_slot(jobs[0], grid)
    if len(weights) != len(jobs):
        return None
    spent, operations = np.zeros(grid.slots), np.zeros(grid.slots)
    for job, weight in zip(jobs, weights, strict=True):
        means, counts = _by_slot(job, grid), _by_slot(weight, grid)
        # fio logs no IOPS for a window in which a job only completed a stalled operation: count at
        # least one.
        counts = np.where(counts > 0, counts, 1000 / grid.step)
        has_value = ~np.isnan(means)
        spent[has_value] += means[has_value] * counts[has_value]
        operations[has_value] += counts[has_value]
    result = np.full(grid.slots, np.nan)
    np.divide(spent, operations, out=result, where=operations > 0)
    return result


def _largest(jobs: Pieces, grid: Grid) -> Floats:
    """Return the largest of the jobs' entries in each window.

    A stalling job does few operations and hardly affects the mean of all.
    """
    result = np.full(grid.slots, np.nan)
    for slots, values in jobs:
        np.fmax.at(result, slots, values.astype(np.float64))
    return result


def _overall(jobs: Pieces, unit: int = 1) -> float | None:
    """Return the sum of the jobs' means; jobs may differ in the number of windows."""
    return sum(float(values.mean()) for _, values in jobs) * unit if jobs else None


def _weighted(values: Floats | None, weights: Floats | None) -> float | None:
    """Return the weighted mean over the windows that have both."""
    if values is None or weights is None:
        return None
    both = ~np.isnan(values) & ~np.isnan(weights)
    total = float(weights[both].sum())
    return float((values[both] * weights[both]).sum()) / total if total else None
