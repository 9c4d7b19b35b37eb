"""Table of all metrics: unit, labels, better direction, percentile, column and views.

Writing and reading of measurements, comparisons, charts, tables, the API and the percentiles
requested from fio derive from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from .parse_result import Measurement

Unit = Literal[
    "bytes/s", "1/s", "/s", "ns", "bytes", "%", "requests", "s", "°C", "W", "J/GiB", "J/million", ""
]
Scale = Literal["linear", "log"]
View = Literal["cases", "components", "curve", "time"]


@dataclass(frozen=True)
class Metric:
    """A metric and its display.

    - `unit`: the canonical unit of stored values.
    - `higher_is_better`: None if neither direction is better.
    - `short`: label of a narrow column head; `label` if empty.
    - `statistic`: distinguishes it from other metrics of the same quantity ("minimum").
    - `scale`: scale of an axis; latency spans orders of magnitude between median and maximum.
    - `percentile`: name of the latency percentile in tools ("99.9").
    - `column`: a measurement has a column of this name; a percentile without one is read from the
      measurement's `percentiles`.
    - `priority`: rank in comparisons; None if it is not compared.
    - `per_interval`: tools with distributions over time provide it for each interval.
    - `views`: views with a subset of the metrics that include it: cases of a run, components of a
      case, curves over a parameter, charts over time.
    - `series`, `series_statistic`: it is this statistic ("minimum", "mean", "maximum", "stddev",
      "stalled") of the intervals of that metric's series, stored with the series; comparisons and
      history offer it.
    """

    key: str
    unit: Unit
    label: str
    higher_is_better: bool | None
    scale: Scale = "linear"
    short: str = ""
    statistic: str = ""
    percentile: str | None = None
    column: bool = False
    priority: int | None = None
    per_interval: bool = False
    views: tuple[View, ...] = ()
    series: str = ""
    series_statistic: str = ""

    @property
    def head(self) -> str:
        """Return the label of a narrow column head."""
        return self.short or self.label

    def of(self, measurement: Measurement) -> float | None:
        """Return the value of this metric in a measurement."""
        if self.percentile is not None:
            return measurement.latency.percentiles.get(self.percentile)
        source = measurement.latency if self.key.startswith("latency_") else measurement
        value: float | None = getattr(source, self.key.removeprefix("latency_"))
        return value


def _latency(
    name: str, label: str, priority: int | None = None, views: tuple[View, ...] = ()
) -> Metric:
    return Metric(
        f"latency_{name}", "ns", f"Latency, {label}", False, "log", f"Latency {name}",
        statistic=label, column=True, priority=priority, views=views,
    )  # fmt: skip


def percentile(
    name: str,
    *,
    label: str = "",
    column: bool = False,
    priority: int | None = None,
    per_interval: bool = False,
    views: tuple[View, ...] = (),
) -> Metric:
    """Build the metric of a latency percentile: "99.9" is `latency_p999`."""
    return Metric(
        f"latency_p{name.replace('.', '')}", "ns", f"Latency, {label or f'{name}th percentile'}",
        False, "log", f"Latency p{name}", f"p{name}", name, column, priority, per_interval, views,
    )  # fmt: skip


_LABELS = {
    "minimum": ("min", "minimum"), "mean": ("mean", "mean"), "maximum": ("max", "maximum"),
    "stddev": ("stddev", "standard deviation"),
}  # fmt: skip


def _label_suffix(metric: Metric, series_statistic: str) -> str:
    """Return the suffix of the label; empty for the maximum of a rate, as tools print it."""
    return "" if metric.priority in (1, 2) and series_statistic == "maximum" else " over time"


def _over_time(metric: Metric, *series_statistics: str) -> tuple[Metric, ...]:
    """Build the statistics of a metric over the intervals of a test.

    A smaller standard deviation is better for metrics with a better direction.
    """
    has_direction = metric.higher_is_better is not None
    return tuple(
        Metric(
            f"{metric.key}_{_LABELS[name][0]}_over_time", metric.unit,
            f"{metric.label}, {_LABELS[name][1]}{_label_suffix(metric, name)}",
            (False if has_direction else None) if name == "stddev" else metric.higher_is_better,
            metric.scale, series=metric.key, series_statistic=name,
        )
        for name in series_statistics
    )  # fmt: skip


_RATES: tuple[View, ...] = ("cases", "components", "curve", "time")
_METRICS = (
    Metric("iops", "1/s", "IOPS", True, column=True, priority=1, views=_RATES),
    Metric("bandwidth", "bytes/s", "Bandwidth", True, column=True, priority=2, views=_RATES),
    _latency("min", "minimum"),
    _latency("mean", "mean", priority=4, views=("components", "curve", "time")),
    percentile("50", label="median", column=True, priority=6, per_interval=True),
    percentile("95", column=True, priority=7),
    percentile(
        "99", column=True, priority=3, per_interval=True, views=("cases", "components", "curve")
    ),
    percentile("99.9", column=True, priority=5, per_interval=True),
    percentile("99.99", column=True),
    _latency("max", "maximum", priority=8, views=("components", "time")),
    _latency("stddev", "standard deviation"),
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


def _cost(key: str, unit: Unit, label: str, higher_is_better: bool | None = False) -> Metric:
    """Build a metric of a whole attempt, stored as a series with one value."""
    return Metric(key, unit, label, higher_is_better, series=key, series_statistic="mean")


_COSTS = (
    _cost("write_amplification", "", "Write amplification"),
    _cost("host_joules_per_gib", "J/GiB", "Energy per GiB, whole hosts"),
    _cost(
        "host_joules_per_million_operations", "J/million",
        "Energy per million operations, whole hosts",
    ),
    _cost("host_watts", "W", "Power, whole hosts", None),
    _cost("host_idle_watts", "W", "Idle power, whole hosts", None),
    _cost("cpu_joules_per_gib", "J/GiB", "Energy per GiB, CPU packages"),
    _cost(
        "cpu_joules_per_million_operations", "J/million",
        "Energy per million operations, CPU packages",
    ),
    _cost("cpu_watts", "W", "Power, CPU packages", None),
    _cost("cpu_idle_watts", "W", "Idle power, CPU packages", None),
)  # fmt: skip
STALLED = Metric(
    "stalled_seconds", "s", "Time without progress", False, series="bandwidth",
    series_statistic="stalled",
)  # fmt: skip
"""Seconds of windows in which the tool finished nothing."""


def _disturbed(key: str, unit: Unit, label: str, higher_is_better: bool | None) -> Metric:
    """Build a figure of a whole disturbance, which is stored as a series of one interval."""
    scale: Scale = "log" if unit == "ns" else "linear"
    return Metric(key, unit, label, higher_is_better, scale, series=key, series_statistic="mean")


_DISTURBED = (
    _disturbed("time_to_clean_seconds", "s", "Time to clean", False),
    _disturbed("time_to_return_seconds", "s", "Time to clean after the OSD is in again", False),
    _disturbed("recovered_bytes", "bytes", "Bytes moved by the recovery", None),
    _disturbed("iops_before", "1/s", "IOPS before the disturbance", True),
    _disturbed("iops_degraded", "1/s", "IOPS while degraded", True),
    _disturbed("iops_recovering", "1/s", "IOPS during the recovery", True),
    _disturbed("iops_worst_second", "1/s", "IOPS, worst second of the disturbance", True),
    _disturbed("before_latency_p99", "ns", "Latency p99 before the disturbance", False),
    _disturbed("degraded_latency_p99", "ns", "Latency p99 while degraded", False),
    _disturbed("recovering_latency_p99", "ns", "Latency p99 during the recovery", False),
    _disturbed("seconds_below_expectation", "s", "Seconds below the expected IOPS", False),
)
_BY_KEY = {metric.key: metric for metric in _METRICS}
_TIME = (
    *(m for key in ("iops", "bandwidth") for m in _over_time(_BY_KEY[key], *_LABELS)),
    STALLED,
    *_over_time(_BY_KEY["latency_mean"], "stddev"),
    *_over_time(_BY_KEY["latency_max"], "mean", "stddev"),
    *(
        m
        for key in ("utilisation", "queue", "request_size", "read_await", "write_await")
        for m in _over_time(_BY_KEY[key], "mean", "maximum")
    ),
    *(
        m
        for key in ("generator_cpu", "host_cpu", "busiest_core")
        for m in _over_time(_BY_KEY[key], "mean", "maximum")
    ),
    *(
        m
        for key in ("context_switches", "interrupts", "temperature", "power")
        for m in _over_time(_BY_KEY[key], "mean")
    ),
    *_COSTS,
    *_DISTURBED,
)
METRICS: Mapping[str, Metric] = {metric.key: metric for metric in (*_METRICS, *_TIME)}
OVER_TIME = tuple(metric.key for metric in _TIME)
"""Statistics over time that comparisons and history offer on request."""
DISTURBANCE = tuple(metric.key for metric in _DISTURBED)
"""Figures of a disturbance of a cluster."""
DISTURBED_PHASES = {
    phase: (f"iops_{phase}", f"{phase}_latency_p99")
    for phase in ("before", "degraded", "recovering")
}
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
