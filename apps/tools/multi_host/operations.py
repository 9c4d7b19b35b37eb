"""Merge the results of one operation on several hosts into one measurement.

Bytes and operations are summed over the time in which all hosts ran, by the measured clock.
Histograms are added and percentiles taken from the sum; a mean is that of all operations. No
percentile and no rate is averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from apps.tools import histogram
from apps.tools.messages import message
from apps.tools.multi_host import overlap
from apps.tools.multi_host.host_results import OperationResult
from apps.tools.parse_result import Histogram, Latency, Measurement, Series
from apps.tools.series import histograms
from apps.tools.series.stalls import LARGEST_OF
from apps.tools.values import Values

# Totals that are summed over hosts; all other values stay with their host.
ADDED = ("total_ios", "io_bytes", "errors", "retransmits")
# Facts about the common target, reported by one of the hosts.
SHARED = ("ceph",)
# Facts of one host about all targets: they also apply to the whole.
COMMON_FACTS = ("ceph", LARGEST_OF)
RATES = ("bandwidth", "iops")
# Below this share of common time there is a warning, unless a plugin provides series.
MIN_OVERLAP = 0.95


def merge_operation(
    operation: str, results: Sequence[OperationResult]
) -> tuple[Measurement, list[str]]:
    """Return the whole of one operation over all hosts, and its warnings."""
    begin, end, overlap_share = _common(results)
    rates = {metric: _rate(metric, results, begin, end) for metric in RATES if overlap_share}
    merged = histogram.merge(result.measurement.histogram for result in results)
    whole = Measurement(
        operation=operation,
        bandwidth=rates["bandwidth"][0] if overlap_share else None,
        iops=rates["iops"][0] if overlap_share else None,
        latency=_latency(results, merged),
        params=results[0].measurement.params,
        values=_values(results, max(0.0, end - begin), overlap_share),
        series=tuple(_series(results)),
        histogram=merged,
        over_time=histograms.added(
            [histograms.moved(one.measurement.over_time, one.host_result.start) for one in results]
        ),
    )
    guessed = overlap_share < MIN_OVERLAP and not all(measured for _, measured in rates.values())
    if not guessed:
        return whole, []
    return whole, [
        message(
            "%(operation)s: the hosts ran together for only %(share)s of the time, and the "
            "output has no figures of each in it; the sum of their averages is more than they "
            "reached at once",
            operation=operation,
            share=f"{overlap_share:.0%}",
        )
    ]


def _common(results: Sequence[OperationResult]) -> tuple[float, float, float]:
    """Return start and end of the time in which all ran, and its share of the longest run."""
    lengths = [result.seconds for result in results]
    if any(length is None for length in lengths):
        return 0.0, 0.0, 1.0
    spans = [(p.host_result.start, p.host_result.start + (p.seconds or 0.0)) for p in results]
    begin, end = max(span[0] for span in spans), min(span[1] for span in spans)
    longest = max(last - first for first, last in spans)
    return begin, end, max(0.0, end - begin) / longest if longest else 1.0


def _rate(
    metric: str, results: Sequence[OperationResult], begin: float, end: float
) -> tuple[float | None, bool]:
    """Return the summed rate while all ran, per second, and True if it is measured by series.

    A host's exact total is split by its series. If all of it is in the common time, the result
    equals its own average exactly, independent of the series' interval.
    """
    averages = [result.rate(metric) for result in results]
    known = [average for average in averages if average is not None]
    if len(known) < len(results):
        return None, True
    host_results = [result.part_between(metric, begin, end) for result in results]
    if end <= begin or any(each is None for each in host_results):
        return sum(known), False
    total = sum(
        average * (result.seconds or 0.0) * (part or 0.0)
        for average, result, part in zip(known, results, host_results, strict=True)
    )
    return total / (end - begin), True


def _latency(results: Sequence[OperationResult], merged: Histogram | None) -> Latency:
    """Return the limits over all hosts, the mean of all operations, and percentiles of the sum."""
    latencies = [result.measurement.latency for result in results]
    mean, stddev = _moments(results)
    names = {name for latency in latencies for name in latency.percentiles}
    return Latency(
        min=_extreme(min, [latency.min for latency in latencies]),
        mean=mean,
        max=_extreme(max, [latency.max for latency in latencies]),
        stddev=stddev,
        percentiles=histogram.percentiles(merged, names) if merged and names else {},
    )


def _moments(results: Sequence[OperationResult]) -> tuple[float | None, float | None]:
    """Return mean and standard deviation of all operations; None unless every host has its own."""
    rows = [(result.operations, result.measurement.latency) for result in results]
    if any(not count or latency.mean is None for count, latency in rows):
        return None, None
    total = sum(count or 0.0 for count, _ in rows)
    mean = sum((count or 0.0) * (latency.mean or 0.0) for count, latency in rows) / total
    if any(latency.stddev is None for _, latency in rows):
        return mean, None
    square = sum(
        (count or 0.0) * ((latency.stddev or 0.0) ** 2 + ((latency.mean or 0.0) - mean) ** 2)
        for count, latency in rows
    )
    return mean, (square / total) ** 0.5


def _extreme(
    choose: Callable[[Iterable[float]], float], values: Sequence[float | None]
) -> float | None:
    known = [value for value in values if value is not None]
    return choose(known) if len(known) == len(values) else None


def _values(results: Sequence[OperationResult], seconds: float, overlap_share: float) -> Values:
    """Return summed totals, and the values of each host."""
    values: Values = {"common_seconds": seconds, "overlap": overlap_share}
    lengths = [result.seconds for result in results]
    if all(length is not None for length in lengths):
        ends = [p.host_result.start + (p.seconds or 0.0) for p in results]
        values["runtime"] = max(ends) - min(result.host_result.start for result in results)
    for name in ADDED:
        entries = [result.measurement.values.get(name) for result in results]
        numbers = [each for each in entries if isinstance(each, (int, float))]
        if len(numbers) == len(entries):
            values[name] = sum(numbers)
    values |= {
        n: p.measurement.values[n]
        for p in results
        for n in COMMON_FACTS
        if n in p.measurement.values
    }
    kinds = {str(result.measurement.values.get("percentiles_of", "")) for result in results}
    if len(kinds) == 1 and kinds != {""}:
        values["percentiles_of"] = kinds.pop()
    for name in SHARED:
        facts = [
            result.measurement.values[name]
            for result in results
            if name in result.measurement.values
        ]
        values |= {name: facts[0]} if facts else {}
    values["hosts"] = [_host(result) for result in results]
    return values


def _host(result: OperationResult) -> Values:
    measurement = result.measurement
    return {
        "name": result.host_result.host,
        "start": result.host_result.start,
        "runtime": result.seconds,
        "bandwidth": measurement.bandwidth,
        "iops": measurement.iops,
    }


def _series(results: Sequence[OperationResult]) -> list[Series]:
    """Return sums over time of additive metrics; percentiles over time stay with their hosts."""
    summed: dict[str, Series] = {}
    for metric in RATES:
        rows = [result.series(metric) for result in results]
        known = [row for row in rows if row is not None]
        if len(known) == len(rows):
            summed[metric] = overlap.rates_added(known)
    longest = [row for result in results if (row := result.series("latency_max")) is not None]
    if len(longest) == len(results):
        summed["latency_max"] = overlap.largest(longest)
    means = [result.series("latency_mean") for result in results]
    rates = [result.series("iops") for result in results]
    if all(means) and all(rates):
        pooled = overlap.means_pooled([m for m in means if m], [r for r in rates if r])
        if pooled is not None:
            summed["latency_mean"] = pooled
    return list(summed.values())
