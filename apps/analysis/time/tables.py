"""Tables of an answer about time: the slowest windows, and extents. Pure but for extents of series
that are older than their columns.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.analysis.answers import Column, Row, Table, metric_column
from apps.analysis.time.reading import Laid
from apps.analysis.time.slowest import MOST, Window
from apps.results.case.over_time import time_rows
from apps.tools.metrics import METRICS, in_order


def slowest_tables(windows: Sequence[Window]) -> list[Table]:
    """The slowest windows with a column for each figure of devices and hosts; none without a
    latency over time.
    """
    if not windows:
        return []
    around = in_order({metric for one in windows for metric in one.said})
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
        "The {n} slowest windows by the largest latency in each (the mean where no largest one is"
        " kept), and the most that any device or host said in the same seconds. A largest latency"
        " is the upper end of fio's bin, at most 1.6 % above, unless it was the longest so far."
    ).format(n=MOST)
    rows = [Row(_cells(one, around), one.case) for one in windows]
    return [Table("slowest", _("Slowest windows"), columns, tuple(rows), note)]


def _cells(one: Window, around: Sequence[str]) -> tuple[str | float | None, ...]:
    busy = one.said.get("utilisation") or next(iter(one.said.values()), None)
    times = round(one.times, 2) if one.times is not None else None
    own = (one.test, one.operation, round(one.start, 3), round(one.end, 3), one.latency, times)
    told = (one.said[metric][0] if metric in one.said else None for metric in around)
    return (*own, one.iops, busy[1] if busy else "", *told)


def extents_table(drawn: Sequence[Laid]) -> Table:
    """Least, mean, most and deviation of each series over the whole test."""
    columns = (
        Column("name", _("Test")),
        Column("subject", _("Of")),
        Column("metric", _("Metric")),
        Column("unit", _("Unit"), spare=True),
        Column("least", _("Least"), "number"),
        Column("mean", _("Mean"), "number"),
        Column("most", _("Most"), "number"),
        Column("stddev", _("Standard deviation"), "number", spare=True),
    )
    rows = [
        Row(
            (one.name, row.subject, _(row.metric.label), row.metric.unit, *row.values),
            one.attempt.case_id,
        )
        for one in drawn
        for row in time_rows(one.series)
    ]
    note = _("Over the whole test, whatever part of it is drawn; values in the unit beside them.")
    return Table("extents", _("Least, mean and most"), columns, tuple(rows), note)
