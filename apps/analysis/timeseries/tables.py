"""Tables of time series: slowest windows and series summaries.

Pure, except for summaries of series that are older than their columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from apps.analysis.result import Column, Row, Table, metric_column
from apps.analysis.timeseries.selectors import OverlaidSeries
from apps.analysis.timeseries.slowest import MAX_WINDOWS, SlowWindow
from apps.results.presenters.over_time import time_rows
from apps.tools.metrics import METRICS, in_order

MAX_OPEN = 3
"""Limit of metrics whose tables are not folded."""


def slowest_tables(windows: Sequence[SlowWindow]) -> list[Table]:
    """Return the slowest windows with device and host metrics; empty without latency series."""
    if not windows:
        return []
    around = in_order({metric for one in windows for metric in one.device_values})
    columns = (
        Column("name", _("Test")),
        Column("operation", _("Operation")),
        Column("start", _("From second"), "number"),
        Column("end", _("To second"), "number", spare=True),
        metric_column("latency_max", title=_("Latency"), name="latency"),
        Column("times", _("Times the usual"), "number"),
        metric_column("iops", title=_("IOPS then")),
        Column("busiest", _("Device")),
        *(metric_column(metric, title=_(METRICS[metric].label)) for metric in around),
    )
    note = _(
        "The {n} slowest windows by the largest latency in each (the mean without one"
        "), and the maximum of any device or host in the same seconds. A largest latency"
        " is the upper end of fio's bin, at most 1.6 % above, unless it was the longest so far."
    ).format(n=MAX_WINDOWS)
    rows = [Row(_cells(one, around), one.case) for one in windows]
    return [Table("slowest", _("Slowest windows"), columns, tuple(rows), note)]


def _cells(one: SlowWindow, around: Sequence[str]) -> tuple[str | float | None, ...]:
    busy = one.device_values.get("utilisation") or next(iter(one.device_values.values()), None)
    times = round(one.times, 2) if one.times is not None else None
    own = (one.test, one.operation, round(one.start, 3), round(one.end, 3), one.latency, times)
    device = one.device_values
    maxima = (device[metric][0] if metric in device else None for metric in around)
    return (*own, one.iops, busy[1] if busy else "", *maxima)


def summary_tables(drawn: Sequence[OverlaidSeries], *, network: bool) -> Iterator[Table]:
    """Yield a table per metric: minimum, mean, maximum and deviation of each whole series."""
    rows: dict[str, list[Row]] = {}
    for one in drawn:
        for row in time_rows(one.series):
            cells = (one.name, row.subject, *row.values)
            rows.setdefault(row.metric.key, []).append(Row(cells, one.attempt.case_id))
    note = _("Over the whole test, whatever part of it is drawn.")
    for metric in METRICS:
        if metric in rows:
            label = _(METRICS[metric].label)
            title = _("{metric}: minimum, mean and maximum").format(metric=label)
            columns = _extent_columns(metric, network)
            folded = len(rows) > MAX_OPEN
            yield Table(f"extents-{metric}", title, columns, tuple(rows[metric]), note, folded)


def _extent_columns(metric: str, network: bool) -> tuple[Column, ...]:
    def column(key: str, title: str) -> Column:
        return metric_column(metric, title=title, name=key, network=network)

    return (
        Column("name", _("Test")),
        Column("subject", _("Of"), spare=True),
        column("least", _("Minimum")),
        column("mean", _("Mean")),
        column("most", _("Maximum")),
        column("stddev", _("Standard deviation")),
    )
