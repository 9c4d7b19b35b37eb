"""Logs of windows (`log_avg_msec`) -> series, and what their means still say of the whole.

A window's entry has no number of operations, so there are no totals: bandwidth and IOPS are the
mean of the windows, and a mean latency needs the IOPS of the same windows as its weight.
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
    """One direction; None where no window has it. `unit`: nanoseconds in a latency log's unit."""
    jobs = {kind: _jobs(found, number, grid) for kind, found in logs.items()}
    bandwidth, iops = _sum(jobs.get("bw", []), grid), _sum(jobs.get("iops", []), grid)
    named = next((kind for kind in TIMED if jobs.get(kind)), None)
    latency = _mean(jobs[named], jobs.get("iops", []), grid) if named else None
    metrics = {
        "bandwidth": _times(bandwidth, KIBIBYTE),
        "iops": iops,
        "latency_mean": _times(latency, unit),
    }
    exact = named is not None and all(log.largest is not None for log in logs[named])
    if named and (exact or len(jobs[named]) > 1):
        pieces = _jobs(logs[named], number, grid, largest=True) if exact else jobs[named]
        metrics["latency_max"] = _largest(pieces, grid) * unit
    series = [_series(metric, values, grid) for metric, values in metrics.items()]
    known = [each for each in series if each is not None]
    if not known:
        return None
    return Measurement(
        operation=operation,
        bandwidth=_overall(jobs.get("bw", []), KIBIBYTE),
        iops=_overall(jobs.get("iops", [])),
        latency=Latency(mean=_weighted(metrics["latency_mean"], iops)),
        values=_values(grid, named, metrics, exact),
        series=known,
    )


def _times(values: Floats | None, factor: int) -> Floats | None:
    """The same array: there may be millions of windows, and nobody needs both."""
    if values is not None and factor != 1:
        values *= factor
    return values


def _series(metric: str, values: Floats | None, grid: Grid) -> Series | None:
    return None if values is None else grid.series(metric, values)


def _values(
    grid: Grid, named: str | None, metrics: Mapping[str, Floats | None], exact: bool
) -> Values:
    values: Values = {"windows": grid.step / 1000}
    if named and metrics["latency_mean"] is not None:
        values["latency_of"] = named
    only_means = "latency_max" in metrics and not exact
    return values | ({LARGEST_OF: MEANS} if only_means else {})


def _jobs(logs: Sequence[Columns], number: int, grid: Grid, *, largest: bool = False) -> Pieces:
    """Places and values of each job, or the largest values of its windows. In a log of all jobs
    (`per_job_logs=0`) they stand one after the other, each from the start.
    """
    found: Pieces = []
    for log in logs:
        mine = log.direction == number
        value = log.largest if largest and log.largest is not None else log.value
        alone = bool(mine.all())  # nothing has to be copied
        times, values = (log.time, value) if alone else (log.time[mine], value[mine])
        starts = np.flatnonzero(np.diff(times) < -(grid.step // 2)) + 1
        places = np.split(grid.places(times), starts)
        found += [
            pair for pair in zip(places, np.split(values, starts), strict=True) if pair[0].size
        ]
    return found


def _by_place(job: tuple[Integers, Integers], grid: Grid) -> Floats:
    """A job's values by place, NaN where it has none; two entries in one place are averaged."""
    places, values = job
    if (places[1:] > places[:-1]).all():
        alone = np.full(grid.slots, np.nan)
        alone[places] = values
        return alone
    count = np.bincount(places, minlength=grid.slots)
    result = np.full(grid.slots, np.nan)
    sums = np.bincount(places, values, minlength=grid.slots)
    np.divide(sums, count, out=result, where=count > 0)
    return result


def _sum(jobs: Pieces, grid: Grid) -> Floats | None:
    """The sum of all jobs; unknown where no job has an entry, and where fio left out the last
    window of one, which was not over.
    """
    if len(jobs) <= 1:
        return _by_place(jobs[0], grid) if jobs else None
    total, known = np.zeros(grid.slots), np.zeros(grid.slots, bool)
    for job in jobs:
        values = _by_place(job, grid)
        there = ~np.isnan(values)
        total[there] += values[there]
        known |= there
    for places, _ in jobs:
        known[int(places.max()) + 1 : int(places.max()) + 2] = False
    return np.where(known, total, np.nan)


def _mean(jobs: Pieces, weights: Pieces, grid: Grid) -> Floats | None:
    """The mean of the jobs' means, weighted by their operations; None for several jobs whose
    operations are unknown: no mean of means is right.
    """
    if len(jobs) == 1:
        return _by_place(jobs[0], grid)
    if len(weights) != len(jobs):
        return None
    spent, operations = np.zeros(grid.slots), np.zeros(grid.slots)
    for job, weight in zip(jobs, weights, strict=True):
        means, counts = _by_place(job, grid), _by_place(weight, grid)
        # fio logs no IOPS for a window in which a job only ended what had stalled: one operation
        # at least.
        counts = np.where(counts > 0, counts, 1000 / grid.step)
        there = ~np.isnan(means)
        spent[there] += means[there] * counts[there]
        operations[there] += counts[there]
    result = np.full(grid.slots, np.nan)
    np.divide(spent, operations, out=result, where=operations > 0)
    return result


def _largest(jobs: Pieces, grid: Grid) -> Floats:
    """The largest of the jobs' entries in each window: a job that stalls does few operations and
    hardly moves the mean of all.
    """
    result = np.full(grid.slots, np.nan)
    for places, values in jobs:
        np.fmax.at(result, places, values.astype(np.float64))
    return result


def _overall(jobs: Pieces, unit: int = 1) -> float | None:
    """The sum of the jobs' means: not all have the same number of windows."""
    return sum(float(values.mean()) for _, values in jobs) * unit if jobs else None


def _weighted(values: Floats | None, weights: Floats | None) -> float | None:
    """The mean over the windows that have both."""
    if values is None or weights is None:
        return None
    both = ~np.isnan(values) & ~np.isnan(weights)
    total = float(weights[both].sum())
    return float((values[both] * weights[both]).sum()) / total if total else None
