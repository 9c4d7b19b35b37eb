"""A metric and its display, and builders of metrics that share a form."""

from __future__ import annotations

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


def latency(
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


STATISTICS = {
    "minimum": ("min", "minimum"), "mean": ("mean", "mean"), "maximum": ("max", "maximum"),
    "stddev": ("stddev", "standard deviation"),
}  # fmt: skip
"""Statistics over the intervals of a test: part of the key, and of the label."""


def _label_suffix(metric: Metric, series_statistic: str) -> str:
    """Return the suffix of the label; empty for the maximum of a rate, as tools print it."""
    return "" if metric.priority in (1, 2) and series_statistic == "maximum" else " over time"


def over_time(metric: Metric, *series_statistics: str) -> tuple[Metric, ...]:
    """Build the statistics of a metric over the intervals of a test.

    A smaller standard deviation is better for metrics with a better direction.
    """
    has_direction = metric.higher_is_better is not None
    return tuple(
        Metric(
            f"{metric.key}_{STATISTICS[name][0]}_over_time", metric.unit,
            f"{metric.label}, {STATISTICS[name][1]}{_label_suffix(metric, name)}",
            (False if has_direction else None) if name == "stddev" else metric.higher_is_better,
            metric.scale, series=metric.key, series_statistic=name,
        )
        for name in series_statistics
    )  # fmt: skip


def whole(key: str, unit: Unit, label: str, higher_is_better: bool | None = False) -> Metric:
    """Build a figure of a whole attempt or disturbance, stored as a series with one value."""
    scale: Scale = "log" if unit == "ns" else "linear"
    return Metric(key, unit, label, higher_is_better, scale, series=key, series_statistic="mean")


def energy(source: str, words: str) -> tuple[Metric, ...]:
    """Build the metrics of energy and power by source, such as the BMC."""
    return (
        whole(f"{source}_joules_per_gib", "J/GiB", f"Energy per GiB, {words}"),
        whole(
            f"{source}_joules_per_million_operations", "J/million",
            f"Energy per million operations, {words}",
        ),
        whole(f"{source}_watts", "W", f"Power, {words}", None),
        whole(f"{source}_idle_watts", "W", f"Idle power, {words}", None),
    )  # fmt: skip
