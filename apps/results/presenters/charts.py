"""Charts of an attempt."""

from __future__ import annotations

import math
from collections.abc import Iterable

from django.utils.translation import gettext as _

from apps.common.domain.charts import ChartFigure
from apps.results.models import Histogram, Series
from apps.results.presenters.chart_figures import (
    PANELS,
    Distribution,
    Trace,
    latency_histogram,
    percentile_curves,
    time_series,
)
from apps.results.selectors.results import attempt_series, series_window
from apps.runs.models import Attempt
from apps.tools.metrics import HOSTS, METRICS
from apps.tools.registry import measures_network
from apps.tools.workloads.order import operation_key

NETWORK = ("retransmits", "loss", "jitter", "round_trip", "congestion_window")
OVER_TIME = (*PANELS, "request_size", "read_await", "write_await", *NETWORK)
"""The metrics over time that a page shows: what explains the tool's figures."""
BASE, PANEL = 150, 180
"""Height of the chart over time in pixels: its frame, and each panel (as figures.time_series)."""


def percentile_chart(attempt: Attempt) -> ChartFigure:
    """Return latency by percentile, with a curve per operation."""
    return counted(percentile_curves(_distributions(attempt), title=_("Latency by percentile")))


def histogram_chart(attempt: Attempt, operation: str) -> ChartFigure | None:
    """Return the latency histogram of an operation, None without one."""
    for result in _distributions(attempt):
        if result.name == operation:
            title = _("Latency of %(operation)s") % {"operation": operation}
            return counted(latency_histogram(result.bins, result.counts, title=title))
    return None


def _distributions(attempt: Attempt) -> list[Distribution]:
    rows = Histogram.objects.filter(measurement__attempt=attempt, measurement__component="")
    result = [
        Distribution(row.measurement.operation, row.bins, row.counts)
        for row in rows.select_related("measurement")
    ]
    return sorted(result, key=lambda one: operation_key(attempt.case.tool, one.name))


def time_chart(
    attempt: Attempt, *, start: float | None = None, end: float | None = None
) -> ChartFigure:
    """Return the metrics of tool and devices over time; `start` and `end` in seconds."""
    tool: list[Trace] = []
    device: list[Trace] = []
    total = 0
    for series in shown_series(attempt):
        trace = series_trace(series, start, end)
        total += _points(series, start, end)
        (tool if series.source == Series.Source.TOOL else device).append(trace)
    figure = time_series(
        tool,
        device,
        title=_("Over time"),
        labels={"time": _("Time")},
        network=measures_network(attempt.case.tool),
    )
    return counted(figure, total)


def shown_series(attempt: Attempt) -> list[Series]:
    """Return the series of the chart: whole series without their components, all devices."""
    rows = attempt_series(attempt).filter(metric__in=OVER_TIME, length__gt=0)
    return _explaining(attempt, rows)


def all_series(attempt: Attempt) -> tuple[list[Series], list[Series]]:
    """Return the series of both charts, with those of which only a summary exists."""
    result = list(attempt_series(attempt).filter(metric__in=(*OVER_TIME, *HOSTS)))
    return _explaining(attempt, [one for one in result if one.metric in OVER_TIME]), _hosts(result)


def _explaining(attempt: Attempt, result: Iterable[Series]) -> list[Series]:
    # Of one that knows no interval there is nothing to draw: a device that wrote nothing has no
    # wait of writes.
    shown = [series for series in result if series.metric in METRICS and series.value_count != 0]
    tool = attempt.case.tool
    # The devices stay where they are: behind the tool, by their names.
    shown.sort(key=lambda one: (one.source != Series.Source.TOOL, operation_key(tool, one.subject)))
    wholes = {(s.source, s.subject, s.metric) for s in shown if not s.component}
    return [
        series
        for series in shown
        if not series.component
        or series.source != Series.Source.TOOL
        or (series.source, series.subject, series.metric) not in wholes
    ]


def hosts_chart(
    attempt: Attempt, *, start: float | None = None, end: float | None = None
) -> ChartFigure:
    """Return the metrics of the hosts over time."""
    rows = shown_hosts(attempt)
    traces = [series_trace(series, start, end) for series in rows]
    total = sum(_points(series, start, end) for series in rows)
    figure = time_series([], traces, title=_("Hosts"), labels={"time": _("Time")})
    return counted(figure, total)


def shown_hosts(attempt: Attempt) -> list[Series]:
    """Return the series of the participating hosts in the order of metrics."""
    return _hosts(attempt_series(attempt).filter(source=Series.Source.HOST))


def _hosts(result: Iterable[Series]) -> list[Series]:
    known = [
        one
        for one in result
        if one.source == Series.Source.HOST and one.metric in HOSTS and one.value_count != 0
    ]
    return sorted(known, key=lambda one: (HOSTS.index(one.metric), one.component, one.subject))


def time_height(series: list[Series]) -> int:
    """Return the height of the chart in pixels."""
    return BASE + PANEL * max(1, len({row.metric for row in series}))


def has_course(series: Iterable[Series]) -> bool:
    """Return True if one of the series has two samples or more, so that a line can be drawn."""
    return any(row.length > 1 for row in series)


def series_trace(series: Series, start: float | None, end: float | None) -> Trace:
    """Return a series in a window of seconds as a trace."""
    times, values = series_window(series, start=start, end=end)
    known = [value if math.isfinite(value) else None for value in values.tolist()]
    name = f"{series.component} {series.subject}".strip()
    return Trace(series.metric, name, times.tolist(), known)


def _points(series: Series, start: float | None, end: float | None) -> int:
    """Return the number of samples in the window."""
    first = series.start if start is None else max(start, series.start)
    whole = series.start + series.length * series.interval
    last = whole if end is None else min(end, whole)
    return max(0, round((last - first) / series.interval))


def counted(figure: ChartFigure, total: int | None = None) -> ChartFigure:
    """Return the figure with the number of drawn and existing points."""
    counts = [trace.get("meta") or {} for trace in figure["data"]]
    shown = sum(count.get("shown", 0) for count in counts)
    there = sum(count.get("total", 0) for count in counts) if total is None else total
    return {**figure, "shown": min(shown, there), "total": there}
