"""The room of time: several tests over each other, from their start on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.answers import Answer, Chart, Column, Fact, Row, Said, Table
from apps.analysis.of_figures import OfFigures, of_figures
from apps.analysis.time.filters import TimeFilter
from apps.common.errors import Refused
from apps.results.case.chart_figures import Trace, time_series
from apps.results.case.charts import series_trace, shown_series, time_height
from apps.results.case.over_time import time_rows
from apps.results.models import Figure, Series
from apps.runs.models import Attempt
from apps.tools.registry import measures_network
from apps.tools.workloads.order import name_key

KEY = "time"
TITLE = lazy("Over time")
MOST = 8
"""Tests over each other; more cannot be told apart."""


def knows(name: str) -> bool:
    """Whether a query about time may have this name."""
    return name in TimeFilter.base_filters


def question(data: QueryDict) -> OfFigures[TimeFilter]:
    """The question in a query. Raises Refused (400) with the names that are wrong."""
    found = of_figures(data, TimeFilter)
    first, last = found.asked.window
    if first is not None and last is not None and first >= last:
        words = _("The window ends before it begins.")
        raise Refused(words, {"end": words}, status=400)
    return found


@dataclass(frozen=True)
class Drawn:
    """An attempt with its name on the chart and its series."""

    name: str
    attempt: Attempt
    series: Sequence[Series]


def answer(found: OfFigures[TimeFilter]) -> Answer:
    """Figures over time of the tests that are named."""
    if found.asked.is_empty:
        return _nothing(found, _("Name runs, tests, a workload, a host or a target."))
    attempts, more = _attempts(found.asked.qs, found.asked.form.cleaned_data["operation"])
    drawn = [one for one in _named(attempts) if one.series]
    if not drawn:
        words = _("None of these results that comparisons may use has figures over time.")
        return _nothing(found, words)
    return _answer(found, drawn, more)


def _nothing(found: OfFigures[TimeFilter], why: str) -> Answer:
    return Answer(KEY, str(TITLE), found.query, empty=why)


def _attempts(rows: QuerySet[Figure], operation: str) -> tuple[list[Attempt], bool]:
    """The newest attempts of these figures, oldest first; whether there are older ones."""
    wanted = rows.filter(operation=operation) if operation else rows
    newest = wanted.order_by("-at", "-pk").values_list("measurement__attempt", flat=True)
    keys = list(dict.fromkeys(newest[: 4 * (MOST + 1)]))  # an attempt has few operations
    found = Attempt.objects.select_related(
        "case__workload", "case__run_target", "case__run_tuning"
    ).in_bulk(keys[:MOST])
    return [found[key] for key in reversed(keys[:MOST])], len(keys) > MOST


def _named(attempts: Sequence[Attempt]) -> list[Drawn]:
    """Attempts by all in which they differ, and the number of their test."""
    parts = [
        (one.case.workload.label, one.case.run_target.name, one.case.run_tuning.name)
        for one in attempts
    ]
    differs = [len(set(column)) > 1 for column in zip(*parts, strict=True)]
    found = [
        Drawn(
            " · ".join(
                [*(part for part, shown in zip(own, differs, strict=True) if shown),
                 f"#{one.case_id}"]
            ),
            one,
            shown_series(one),
        )
        for one, own in zip(attempts, parts, strict=True)
    ]  # fmt: skip
    return sorted(found, key=lambda one: name_key(one.name))


def _answer(found: OfFigures[TimeFilter], drawn: Sequence[Drawn], more: bool) -> Answer:
    start, end = found.asked.window
    tool: list[Trace] = []
    device: list[Trace] = []
    for one in drawn:
        for row in one.series:
            trace = series_trace(row, start, end)
            mine = Trace(trace.metric, f"{one.name} {trace.name}", trace.seconds, trace.values)
            (tool if row.source == Series.Source.TOOL else device).append(mine)
    network = all(measures_network(one.attempt.case.workload.tool) for one in drawn)
    figure = time_series(tool, device, title="", labels={"time": _("Time")}, network=network)
    height = time_height([row for one in drawn for row in one.series])
    words = _("{n} tests over each other, from the start of each.").format(n=len(drawn))
    said = _("The newest {n} tests; there are older ones.").format(n=MOST)
    return Answer(
        view=KEY,
        title=str(TITLE),
        query=found.query,
        headline=(Said(words),),
        charts=(Chart("time", str(TITLE), words, figure, height=height),),
        tables=(_extents(drawn),),
        notes=(said,) if more else (),
        basis=(Fact(_("Tests"), f"{len(drawn):,}"),),
    )


def _extents(drawn: Sequence[Drawn]) -> Table:
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


__all__ = ["KEY", "TITLE", "answer", "knows", "question"]
