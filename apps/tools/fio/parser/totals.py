"""Jobs that ran together -> one measurement per operation, with the jobs' own figures as its parts.

Totals follow fio's group report (stat.c, sum_thread_stats): bytes and operations add up, the
longest run time counts, latencies are pooled. Percentiles come from added bins; where fio printed
none, they stay unknown.
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
LONGEST_NAME = 200


def measurement(
    operation: str,
    parts: Sequence[Part],
    params: Parameters,
    values: Values,
    series: Sequence[Series],
    *,
    part: str = "",
    group: int = 0,
    alone: bool = False,
) -> Measurement:
    """The total of the jobs in one direction. `group`: the number of their reporting group;
    `alone`: the jobs had no other direction, so that their tables of latencies are this one's.
    """
    histogram = added_bins(parts)
    single = len(parts) == 1
    if operation == SYNC:
        # The tables of latencies are of reads and writes.
        values = {name: value for name, value in values.items() if name not in LATENCIES}
    elif alone and histogram is None and (buckets := coarse(values)):
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
        part=part,
        job=_called([part.job for part in parts]),
        group=max(group, 0),
    )


def _called(names: Sequence[str]) -> str:
    """The common name of a group's jobs, each name once."""
    text = ", ".join(dict.fromkeys(name for name in names if name))
    if len(text) <= LONGEST_NAME:
        return text
    return f"{text[: LONGEST_NAME - 20]} ... {hashlib.sha256(text.encode()).hexdigest()[:8]}"


def total_bandwidth(parts: Sequence[Part]) -> float | None:
    """Bytes per second of all jobs; None for what moves no bytes."""
    if all(part.bandwidth is None and not part.transferred for part in parts):
        return None
    runtime = max(part.runtime for part in parts)
    return sum(part.transferred for part in parts) / runtime if runtime else None


def total_iops(parts: Sequence[Part]) -> float | None:
    """Operations per second of all jobs. Before fio 2.2 and in terse output nothing says how many
    there were: there they follow from the jobs' own rates and run times.
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
    """The latency distribution of all jobs; None unless each has one of the same latency."""
    if len({part.percentiles_of for part in parts}) != 1:
        return None
    bins = [part.bins for part in parts]
    return distribution(added(bins)) if all(bins) else None


def pooled(parts: Sequence[Part], histogram: Histogram | None) -> Latency:
    """Mean and deviation of all operations of all jobs; the percentiles of the added bins."""
    # Where their number is unknown, the jobs' bytes weigh as their operations would.
    counted = all(part.operations for part in parts)
    latencies = [
        (part.total.latency, part.operations if counted else part.transferred) for part in parts
    ]
    if any(latency.mean is None for latency, _ in latencies):
        return Latency()
    mean, stddev = _moments(latencies)
    return Latency(
        min=_extreme(min, [latency.min for latency, _ in latencies]),
        mean=mean,
        max=_extreme(max, [latency.max for latency, _ in latencies]),
        stddev=stddev,
        percentiles=percentiles(histogram, _names(parts)) if histogram else {},
    )


def _moments(latencies: Sequence[tuple[Latency, int]]) -> tuple[float | None, float | None]:
    """Mean and deviation of latencies with their weights; None where nothing has a weight, as the
    syncs of text whose number fio does not print.
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
    known = [value for value in values if value is not None]
    return choose(known) if known else None


def _values(parts: Sequence[Part]) -> Values:
    """Other figures: fio's three latencies and samples for one result, the parts for several."""
    first = parts[0]
    moved = sum(part.transferred for part in parts)
    values: Values = {
        "total_ios": sum(part.operations for part in parts) or None,
        **({"io_bytes": moved} if moved else {}),
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
    """slat, clat and lat in ns, and the samples over time, of one job or group."""
    phases: Mapping[str, Any] = {
        name: latency_json(phase.latency) for name, phase in part.phases.items() if phase.known
    }
    return {**phases, **part.values}


def latency_json(latency: Latency) -> Values:
    """A latency by fio's names."""
    figures: Values = {
        "min": latency.min,
        "mean": latency.mean,
        "max": latency.max,
        "stddev": latency.stddev,
    }
    return figures | ({"percentiles": dict(latency.percentiles)} if latency.percentiles else {})
