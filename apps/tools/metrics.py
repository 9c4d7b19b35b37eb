"""Every metric benchlab shows: its unit, its labels, which direction is better, which percentile it
is, which column of a measurement holds it, and where it is shown. All else that lists metrics or
percentiles derives from this table: writing and reading measurements, comparisons, charts, tables,
the API, the percentiles asked of fio.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from .parse_result import Measurement

Unit = Literal["bytes/s", "1/s", "/s", "ns", "bytes", "%", "requests", "s", "°C", "W", ""]
Scale = Literal["linear", "log"]
View = Literal["cases", "parts", "curve", "time"]


@dataclass(frozen=True)
class Metric:
    """`unit` is the canonical one (figures are stored in it); `higher_is_better` None: neither is
    better.

    `short`: the label in a narrow head; `label` where it is not given. `statistic`: what tells it
    apart from others of the same quantity ("minimum"). `scale`: how an axis shows
    it best; latency spans orders of magnitude between median and maximum. `percentile`: which of
    the latency's percentiles it is, by the name that tools give it ("99.9"). `column`: a
    measurement has a column of this name; a percentile without one is read from the measurement's
    `percentiles`. `weight`: its rank among what people ask first of a comparison, None where it is
    not compared. `sampled`: tools that keep distributions over time give it for each interval.
    `on`: the views that show only some metrics and show this one: a run's cases, the parts of a
    case, figures over a parameter, figures over time. `series`, `extent`: it is this statistic
    ("minimum", "mean", "maximum", "stddev") of the intervals of that metric's series, stored with
    the series; comparisons and history offer it.
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
    weight: int | None = None
    sampled: bool = False
    on: tuple[View, ...] = ()
    series: str = ""
    extent: str = ""

    @property
    def head(self) -> str:
        """The label where there is little room."""
        return self.short or self.label

    def of(self, found: Measurement) -> float | None:
        """The value a tool measured of it: a rate, or a figure of the latency."""
        if self.percentile is not None:
            return found.latency.percentiles.get(self.percentile)
        holder = found.latency if self.key.startswith("latency_") else found
        value: float | None = getattr(holder, self.key.removeprefix("latency_"))
        return value


def _latency(name: str, label: str, weight: int | None = None, on: tuple[View, ...] = ()) -> Metric:
    return Metric(
        f"latency_{name}", "ns", f"Latency, {label}", False, "log", f"Latency {name}",
        statistic=label, column=True, weight=weight, on=on,
    )  # fmt: skip


def percentile(
    name: str,
    *,
    label: str = "",
    column: bool = False,
    weight: int | None = None,
    sampled: bool = False,
    on: tuple[View, ...] = (),
) -> Metric:
    """A percentile of the latency by its name: "99.9" is `latency_p999`."""
    return Metric(
        f"latency_p{name.replace('.', '')}", "ns", f"Latency, {label or f'{name}th percentile'}",
        False, "log", f"Latency p{name}", f"p{name}", name, column, weight, sampled, on,
    )  # fmt: skip


_WORDS = {
    "minimum": ("min", "minimum"), "mean": ("mean", "mean"), "maximum": ("max", "maximum"),
    "stddev": ("stddev", "standard deviation"),
}  # fmt: skip


def _behind(of: Metric, extent: str) -> str:
    """Empty for the maximum of a rate, which tools print under this name."""
    return "" if of.weight in (1, 2) and extent == "maximum" else " over time"


def _over_time(of: Metric, *extents: str) -> tuple[Metric, ...]:
    """Statistics of a metric over the intervals of a test. Less deviation is better of what has a
    better side.
    """
    judged = of.higher_is_better is not None
    return tuple(
        Metric(
            f"{of.key}_{_WORDS[name][0]}_over_time", of.unit,
            f"{of.label}, {_WORDS[name][1]}{_behind(of, name)}",
            (False if judged else None) if name == "stddev" else of.higher_is_better,
            of.scale, series=of.key, extent=name,
        )
        for name in extents
    )  # fmt: skip


_RATES: tuple[View, ...] = ("cases", "parts", "curve", "time")
_METRICS = (
    Metric("iops", "1/s", "IOPS", True, column=True, weight=1, on=_RATES),
    Metric("bandwidth", "bytes/s", "Bandwidth", True, column=True, weight=2, on=_RATES),
    _latency("min", "minimum"),
    _latency("mean", "mean", weight=4, on=("parts", "curve", "time")),
    percentile("50", label="median", column=True, weight=6, sampled=True),
    percentile("95", column=True, weight=7),
    percentile("99", column=True, weight=3, sampled=True, on=("cases", "parts", "curve")),
    percentile("99.9", column=True, weight=5, sampled=True),
    percentile("99.99", column=True),
    _latency("max", "maximum", weight=8, on=("parts", "time")),
    _latency("stddev", "standard deviation"),
    Metric("utilisation", "%", "Device utilisation", None, on=("curve", "time")),
    Metric("queue", "requests", "Device queue length", None, on=("time",)),
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

_BY_KEY = {metric.key: metric for metric in _METRICS}
_TIME = (
    *(m for key in ("iops", "bandwidth") for m in _over_time(_BY_KEY[key], *_WORDS)),
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
)
METRICS: Mapping[str, Metric] = {metric.key: metric for metric in (*_METRICS, *_TIME)}
OVER_TIME = tuple(metric.key for metric in _TIME)
"""Figures over time that comparisons and history offer, read where somebody asks for them."""
WINDOWED_SERIES = ("iops", "bandwidth")
WINDOWED = tuple(m.key for m in _TIME if m.series in WINDOWED_SERIES and m.extent != "mean")
"""Figures over time that depend on how long the intervals are."""
DEVICE = ("utilisation", "queue", "request_size", "read_await", "write_await")
"""Metrics that the device's own counters give, not the tool."""
HOSTS = (
    "generator_cpu", "host_cpu", "busiest_core", "core_cpu", "context_switches", "interrupts",
    "memory_used", "network_received", "network_sent", "temperature", "power",
)  # fmt: skip
"""Metrics of the hosts that take part, from their own counters and sensors."""
COLUMNS = tuple(metric.key for metric in _METRICS if metric.column)
"""Metrics for which a measurement has a column."""
TABLE_METRICS = tuple(metric.key for metric in _METRICS if metric.weight is not None)
"""Metrics that comparisons and the tables of a sweep offer, from top to bottom."""
COMPARISON_METRICS = (*TABLE_METRICS, *OVER_TIME)
"""The metrics that a comparison may be asked for."""
METRICS_BY_PRIORITY = tuple(sorted(TABLE_METRICS, key=lambda key: METRICS[key].weight or 0))
"""The same by what people ask first: a comparison tests as many of these as it can carry."""
PERCENTILES = tuple(metric.percentile for metric in _METRICS if metric.percentile is not None)
"""The percentiles that have a metric, ascending, by the names that tools give them."""
TAIL = ("50", "90", "99", "99.9", "99.99", "99.999", "99.9999")
"""The percentiles of a merged distribution's axis: the median, then a nine more each time."""
SAMPLED = {
    metric.percentile: metric.key for metric in _METRICS if metric.percentile and metric.sampled
}
"""The percentiles that are kept for each interval, and their metrics."""
# How a network's rate is shown: Gbit/s with MB/s beside it. It is stored in bytes/s like any other.
NETWORK = "network"


def metrics_on(view: View) -> tuple[Metric, ...]:
    """The metrics that a view shows, in the table's order."""
    return tuple(metric for metric in _METRICS if view in metric.on)


def with_percentiles(*more: str) -> tuple[str, ...]:
    """These percentiles and all that have a metric, ascending."""
    return tuple(sorted({*more, *PERCENTILES}, key=float))


def columns_of(found: Measurement) -> dict[str, float | None]:
    """A measurement's figures by the columns that hold them."""
    return {key: METRICS[key].of(found) for key in COLUMNS}


def in_order(keys: Iterable[str]) -> list[str]:
    """Metrics in the table's order; what is not in it is left out."""
    known = set(keys)
    return [key for key in METRICS if key in known]


def shown_unit(key: str, *, network: bool = False) -> str:
    """The unit that formatters and charts know a metric by: its own, or NETWORK for the rate of a
    tool that measures one (`registry.measures_network`).
    """
    unit = METRICS[key].unit
    return NETWORK if network and unit == "bytes/s" else unit
