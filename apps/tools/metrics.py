"""Table of all metrics: unit, labels, better direction, percentile, column and views.

Writing and reading of measurements, comparisons, charts, tables, the API and the percentiles
requested from fio derive from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .metric_kinds import (
    STATISTICS,
    Metric,
    View,
    energy,
    latency,
    over_time,
    percentile,
    whole,
)
from .parse_result import Measurement

__all__ = ["METRICS", "Metric", "View", "percentile"]

_RATES: tuple[View, ...] = ("cases", "components", "curve", "time")
_METRICS = (
    Metric("iops", "1/s", "IOPS", True, column=True, priority=1, views=_RATES),
    Metric("bandwidth", "bytes/s", "Bandwidth", True, column=True, priority=2, views=_RATES),
    latency("min", "minimum"),
    latency("mean", "mean", priority=4, views=("components", "curve", "time")),
    percentile("50", label="median", column=True, priority=6, per_interval=True),
    percentile("95", column=True, priority=7),
    percentile(
        "99", column=True, priority=3, per_interval=True, views=("cases", "components", "curve")
    ),
    percentile("99.9", column=True, priority=5, per_interval=True),
    percentile("99.99", column=True),
    latency("max", "maximum", priority=8, views=("components", "time")),
    latency("stddev", "standard deviation"),
    Metric("utilisation", "%", "Device utilisation", None, views=("curve", "time")),
    Metric("queue", "requests", "Device queue length", None, views=("time",)),
    Metric("await", "ns", "Device wait", False, "log"),
    Metric("read_await", "ns", "Device wait, reads", False, "log"),
    Metric("write_await", "ns", "Device wait, writes", False, "log"),
    Metric("request_size", "bytes", "Device request size", None),
    Metric("read_bandwidth", "bytes/s", "Device bandwidth, reads", True),
    Metric("write_bandwidth", "bytes/s", "Device bandwidth, writes", True),
    Metric("reads", "1/s", "Device reads", True),
    Metric("writes", "1/s", "Device writes", True),
    Metric("retransmits", "", "Retransmitted segments", False),
    Metric("jitter", "ns", "Jitter", False, "log"),
    Metric("loss", "%", "Lost datagrams", False),
    Metric("round_trip", "ns", "TCP round trip", False, "log"),
    Metric("congestion_window", "bytes", "TCP congestion window", None),
    Metric("cpu_user", "%", "CPU, user", None),
    Metric("cpu_system", "%", "CPU, system", None),
    Metric("duration", "s", "Duration", None),
    Metric("generator_cpu", "%", "CPU of the load generator, of one core", None),
    Metric("host_cpu", "%", "CPU of the host, all cores", None),
    Metric("busiest_core", "%", "Busiest core", None),
    Metric("core_cpu", "%", "CPU of a core", None),
    Metric("context_switches", "/s", "Context switches", None),
    Metric("interrupts", "/s", "Interrupts", None),
    Metric("memory_used", "bytes", "Memory in use", None),
    Metric("network_received", "bytes/s", "Network, received", None),
    Metric("network_sent", "bytes/s", "Network, sent", None),
    Metric("temperature", "°C", "Temperature", None),
    Metric("power", "W", "Power", None),
)


_COSTS = (
    whole("write_amplification", "", "Write amplification"),
    *energy("host", "whole hosts"),
    *energy("cpu", "CPU packages"),
)
STALLED = Metric(
    "stalled_seconds", "s", "Time without progress", False, series="bandwidth",
    series_statistic="stalled",
)  # fmt: skip
"""Seconds of windows in which the tool finished nothing."""


_PHASES = {
    "before": "before the disturbance", "degraded": "while degraded",
    "recovering": "during the recovery",
}  # fmt: skip
_DISTURBED = (
    whole("time_to_clean_seconds", "s", "Time to clean"),
    whole("time_to_return_seconds", "s", "Time to clean after the OSD is in again"),
    whole("recovered_bytes", "bytes", "Bytes moved by the recovery", None),
    *(whole(f"iops_{phase}", "1/s", f"IOPS {words}", True) for phase, words in _PHASES.items()),
    whole("iops_worst_second", "1/s", "IOPS, worst second of the disturbance", True),
    *(
        whole(f"{phase}_latency_p99", "ns", f"Latency p99 {words}")
        for phase, words in _PHASES.items()
    ),
    whole("seconds_below_expectation", "s", "Seconds below the expected IOPS"),
)
_BY_KEY = {metric.key: metric for metric in _METRICS}
_TIME = (
    *(m for key in ("iops", "bandwidth") for m in over_time(_BY_KEY[key], *STATISTICS)),
    STALLED,
    *over_time(_BY_KEY["latency_mean"], "stddev"),
    *over_time(_BY_KEY["latency_max"], "mean", "stddev"),
    *(
        m
        for key in ("utilisation", "queue", "request_size", "read_await", "write_await")
        for m in over_time(_BY_KEY[key], "mean", "maximum")
    ),
    *(
        m
        for key in ("generator_cpu", "host_cpu", "busiest_core")
        for m in over_time(_BY_KEY[key], "mean", "maximum")
    ),
    *(
        m
        for key in ("context_switches", "interrupts", "temperature", "power")
        for m in over_time(_BY_KEY[key], "mean")
    ),
    *_COSTS,
    *_DISTURBED,
)
METRICS: Mapping[str, Metric] = {metric.key: metric for metric in (*_METRICS, *_TIME)}
OVER_TIME = tuple(metric.key for metric in _TIME)
"""Statistics over time that comparisons and history offer on request."""
DISTURBANCE = tuple(metric.key for metric in _DISTURBED)
"""Figures of a disturbance of a cluster."""
DISTURBED_PHASES = {phase: (f"iops_{phase}", f"{phase}_latency_p99") for phase in _PHASES}
"""Metrics of a phase: IOPS and the percentile TAIL_LATENCY of the latency."""
TAIL_LATENCY = METRICS["latency_p99"]
WINDOWED_SERIES = ("iops", "bandwidth")
WINDOWED = tuple(
    m.key for m in _TIME if m.series in WINDOWED_SERIES and m.series_statistic != "mean"
)
"""Statistics over time that depend on the length of the intervals."""
DEVICE = ("utilisation", "queue", "request_size", "read_await", "write_await")
"""Metrics from the counters of the block device, not from the tool."""
HOSTS = (
    "generator_cpu", "host_cpu", "busiest_core", "core_cpu", "context_switches", "interrupts",
    "memory_used", "network_received", "network_sent", "temperature", "power",
)  # fmt: skip
"""Metrics of the hosts, from their counters and sensors."""
COSTS = tuple(metric.key for metric in _COSTS)
"""Metrics of whole attempts: wear of their disks and energy of their hosts."""
COLUMNS = tuple(metric.key for metric in _METRICS if metric.column)
"""Metrics with a column in the table of measurements."""
TABLE_METRICS = tuple(metric.key for metric in _METRICS if metric.priority is not None)
"""Metrics of comparisons and sweep tables, from top to bottom."""
COMPARISON_METRICS = (*TABLE_METRICS, *OVER_TIME)
"""Metrics that a comparison accepts."""
METRICS_BY_PRIORITY = tuple(sorted(TABLE_METRICS, key=lambda key: METRICS[key].priority or 0))
"""TABLE_METRICS by priority; a comparison tests the first of them, as many as it can."""
PERCENTILES = tuple(metric.percentile for metric in _METRICS if metric.percentile is not None)
"""Percentiles with a metric, ascending, by their names in tools."""
TAIL = ("50", "90", "99", "99.9", "99.99", "99.999", "99.9999")
"""Percentiles on the axis of a merged distribution: the median, then one nine more each time."""
SAMPLED = {
    metric.percentile: metric.key
    for metric in _METRICS
    if metric.percentile and metric.per_interval
}
"""Percentiles stored for each interval, with their metrics."""
# Unit of network rates: stored in bytes/s, displayed in Gbit/s and MB/s.
NETWORK = "network"


def metrics_on(view: View) -> tuple[Metric, ...]:
    """Return the metrics of a view, in the table's order."""
    return tuple(metric for metric in _METRICS if view in metric.views)


def with_percentiles(*more: str) -> tuple[str, ...]:
    """Return these percentiles and all that have a metric, ascending."""
    return tuple(sorted({*more, *PERCENTILES}, key=float))


def columns_of(measurement: Measurement) -> dict[str, float | None]:
    """Return a measurement's values by column."""
    return {key: METRICS[key].of(measurement) for key in COLUMNS}


def in_order(keys: Iterable[str]) -> list[str]:
    """Return known metrics in the table's order."""
    known = set(keys)
    return [key for key in METRICS if key in known]


def shown_unit(key: str, *, network: bool = False) -> str:
    """Return the unit for formatters and charts.

    It is the metric's unit, or NETWORK for a rate of a network tool (`registry.measures_network`).
    """
    unit = METRICS[key].unit
    return NETWORK if network and unit == "bytes/s" else unit
