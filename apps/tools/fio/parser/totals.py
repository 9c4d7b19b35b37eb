"""Total of jobs that ran together: one measurement per operation, with the jobs' figures.

Totals follow fio's group report (stat.c, sum_thread_stats): bytes and operations are added, the run
time is the longest, latencies are pooled. Percentiles come from added bins and are unknown without
bins.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from apps.tools.histogram import percentiles
from apps.tools.parse_result import Histogram, Latency, Measurement, Series
from apps.tools.values import Parameters, Values

from .bins.bins import added
from .bins.bins import histogram as distribution
from .bins.coarse import coarse
from .direction import SYNC, Part
from .tables import LATENCIES

MAX_PARTS = 1024
MAX_NAME_LENGTH = 200


def measurement(
    operation: str,
    parts: Sequence[Part],
    params: Parameters,
    values: Values,
    series: Sequence[Series],
    *,
    component: str = "",
    group: int = 0,
    only_direction: bool = False,
) -> Measurement:
    """Return the total of the jobs in one direction.

    `group`: number of their reporting group; `only_direction`: the jobs had no other direction, so
    their latency tables describe this one.
    """
    histogram = added_bins(parts)
    single = len(parts) == 1
    if operation == SYNC:
        # The latency tables exclude syncs.
        values = {name: value for name, value in values.items() if name not in LATENCIES}
    elif only_direction and histogram is None and (buckets := coarse(values)):
        values = values | {"coarse": buckets}
    return Measurement(
        operation=operation,
        bandwidth=parts[0].bandwidth if single else total_bandwidth(parts),
        iops=parts[0].iops if single else total_iops(parts),
        latency=parts[0].latency if single else pooled(parts, histogram),
        params=params,
        values=_values(parts) | values,
        series=series,
        histogram=histogram,
        component=component,
        job=_joined_name([part.job for part in parts]),
        group=max(group, 0),
    )


def _joined_name(names: Sequence[str]) -> str:
    """Return the distinct names of a group's jobs."""
    text = ", ".join(dict.fromkeys(name for name in names if name))
    if len(text) <= MAX_NAME_LENGTH:
        return text
    return f"{text[: MAX_NAME_LENGTH - 20]} ... {hashlib.sha256(text.encode()).hexdigest()[:8]}"


def total_bandwidth(parts: Sequence[Part]) -> float | None:
    """Return the bytes/s of all jobs; None for operations without bytes."""
    if all(part.bandwidth is None and not part.transferred for part in parts):
        return None
    runtime = max(part.runtime for part in parts)
    return sum(part.transferred for part in parts) / runtime if runtime else None


def total_iops(parts: Sequence[Part]) -> float | None:
    """Return the operations/s of all jobs.

    Before fio 2.2 and in terse output the number of operations is unknown; it is computed from the
    jobs' rates and run times.
    """
    runtime = max(part.runtime for part in parts)
    if not all(part.operations for part in parts):
        rates = [(part.iops, part.runtime) for part in parts if part.iops is not None]
        if len(rates) < len(parts):
            return None
        weighted = runtime and all(seconds for _rate, seconds in rates)
        return sum(rate * (seconds / runtime if weighted else 1) for rate, seconds in rates)
    return sum(part.operations for part in parts) / runtime if runtime else None


def added_bins(parts: Sequence[Part]) -> Histogram | None:
    """Return the latency distribution of all jobs; None unless all describe the same latency."""
    if len({part.percentiles_of for part in parts}) != 1:
        return None
    bins = [part.bins for part in parts]
    return distribution(added(bins)) if all(bins) else None


def pooled(parts: Sequence[Part], histogram: Histogram | None) -> Latency:
    """Return mean and deviation over all operations, with percentiles of the added bins."""
    # Without counts of operations, the jobs' bytes are the weights.
    counted = all(part.operations for part in parts)
    latencies = [
        (part.total.latency, part.operations if counted else part.transferred) for part in parts
    ]
    if any(latency.mean is None for latency, _ in latencies):
        return Latency()
    mean, stddev = _mean_and_stddev(latencies)
    return Latency(
        min=_extreme(min, [latency.min for latency, _ in latencies]),
        mean=mean,
        max=_extreme(max, [latency.max for latency, _ in latencies]),
        stddev=stddev,
        percentiles=percentiles(histogram, _names(parts)) if histogram else {},
    )


def _mean_and_stddev(latencies: Sequence[tuple[Latency, int]]) -> tuple[float | None, float | None]:
    """Return mean and deviation of weighted latencies; None without weights.

    Syncs in text output have no weights, because fio does not print their number.
    """
    total = sum(weight for _, weight in latencies)
    if not total:
        return None, None
    mean = sum((latency.mean or 0.0) * weight for latency, weight in latencies) / total
    square = sum(
        weight * ((latency.stddev or 0.0) ** 2 + ((latency.mean or 0.0) - mean) ** 2)
        for latency, weight in latencies
    )
    return mean, (square / total) ** 0.5


def _names(parts: Sequence[Part]) -> list[str]:
    return sorted({name for part in parts for name in part.percentiles}, key=float)


def _extreme(choose: Any, values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return choose(present) if present else None


def _values(parts: Sequence[Part]) -> Values:
    """Return other figures: latencies and samples of one job, or the list of several jobs."""
    first = parts[0]
    transferred = sum(part.transferred for part in parts)
    values: Values = {
        "total_ios": sum(part.operations for part in parts) or None,
        **({"io_bytes": transferred} if transferred else {}),
        "runtime": max(part.runtime for part in parts),
        "percentiles_of": first.percentiles_of,
    }
    if len(parts) == 1:
        return values | part_figures(first)
    values["jobs"] = [
        {"name": part.job, **({"host": part.client} if part.client else {})}
        | {"bandwidth": part.bandwidth, "iops": part.iops}
        | part_figures(part)
        for part in parts[:MAX_PARTS]
    ]
    return values


def part_figures(part: Part) -> Values:
    """Return slat, clat and lat in ns, and the samples over time, of one job or group."""
    phases: Mapping[str, Any] = {
        name: latency_json(phase.latency)
        for name, phase in part.phases.items()
        if phase.is_recorded
    }
    return {**phases, **part.values}


def latency_json(latency: Latency) -> Values:
    """Return a latency by fio's names."""
    figures: Values = {
        "min": latency.min,
        "mean": latency.mean,
        "max": latency.max,
        "stddev": latency.stddev,
    }
    return figures | ({"percentiles": dict(latency.percentiles)} if latency.percentiles else {})
