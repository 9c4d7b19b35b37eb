"""Analysis view "timeseries": several tests over time, aligned at their start."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from apps.analysis.queries.summary_query import SummaryQuery, empty_result, parse_summary_query
from apps.analysis.result import AnalysisResult, BasisItem, Chart, Finding
from apps.analysis.timeseries.filters import TimeFilter
from apps.analysis.timeseries.findings import heat_charts, heat_notes, window_text
from apps.analysis.timeseries.selectors import OverlaidSeries, heats_of, lines_of, overlaid_series
from apps.analysis.timeseries.slowest import slowest
from apps.analysis.timeseries.tables import slowest_tables, summary_tables
from apps.common.errors import ServiceError
from apps.results.models import ResultSummary, Series
from apps.results.presenters.chart_figures import Trace, time_series
from apps.results.presenters.charts import has_course, series_trace, time_height
from apps.runs.models import Attempt
from apps.tools.registry import measures_network

KEY = "timeseries"
TITLE = lazy("Over time")
MAX_TESTS = 8
"""Limit of overlaid tests; more are not distinguishable."""


def accepts(name: str) -> bool:
    """Return True if a time series query may contain this name."""
    return name in TimeFilter.base_filters


def parse_query(data: QueryDict) -> SummaryQuery[TimeFilter]:
    """Parse a query. Raises: ServiceError (400) with the invalid names."""
    result = parse_summary_query(data, TimeFilter)
    first, last = result.filterset.window
    if first is not None and last is not None and first >= last:
        message = _("The window ends before it begins.")
        raise ServiceError(message, {"end": message}, status=400)
    return result


def compute(result: SummaryQuery[TimeFilter]) -> AnalysisResult:
    """Return series of the selected tests."""
    if result.filterset.selection.names_nothing:
        return AnalysisResult(
            KEY,
            str(TITLE),
            result.query,
            empty=_("Name runs, tests, a workload, a host or a target."),
        )
    attempts, more = _attempts(result.filterset.qs, result.filterset.form.cleaned_data["operation"])
    drawn = [one for one in overlaid_series(attempts) if one.series]
    if not drawn:
        text = _("None of these results that comparisons may use has figures over time.")
        return empty_result(KEY, TITLE, result, text)
    return _result(result, drawn, more)


def _attempts(rows: QuerySet[ResultSummary], operation: str) -> tuple[list[Attempt], bool]:
    """Return the newest attempts of these results, oldest first, and True if older ones exist."""
    measured = rows.filter(operation=operation) if operation else rows
    newest = measured.order_by("-measured_at", "-pk").values_list("measurement__attempt", flat=True)
    keys = list(dict.fromkeys(newest[: 4 * (MAX_TESTS + 1)]))  # an attempt has few operations
    result = Attempt.objects.select_related(
        "case__workload", "case__run_target", "case__run_tuning"
    ).in_bulk(keys[:MAX_TESTS])
    return [result[key] for key in reversed(keys[:MAX_TESTS])], len(keys) > MAX_TESTS


def _result(
    result: SummaryQuery[TimeFilter], drawn: Sequence[OverlaidSeries], more: bool
) -> AnalysisResult:
    start, end = result.filterset.window
    text = ngettext(
        "One test from its start: {test}.",
        "{n} tests over each other, from the start of each.",
        len(drawn),
    ).format(n=len(drawn), test=drawn[0].title)
    note = _("The newest {n} tests; there are older ones.").format(n=MAX_TESTS)
    heats, fewer = heats_of(drawn, result.filterset.form.cleaned_data["operation"], start, end)
    windows = slowest([lines_of(one, start, end) for one in drawn])
    network = all(measures_network(one.attempt.case.workload.tool) for one in drawn)
    is_drawable = has_course(row for one in drawn for row in one.series)
    lines = [_lines_chart(drawn, text, start, end, network)] if is_drawable else []
    notes = [*([note] if more else []), *heat_notes(heats, fewer)]
    if not is_drawable:
        notes.append(_("The tests were too short for a chart over time: each has one sample."))
    return AnalysisResult(
        view=KEY,
        title=str(TITLE),
        query=result.query,
        headline=(Finding(text), *(Finding(window_text(one)) for one in windows[:1])),
        charts=(*lines, *heat_charts(heats)),
        tables=(*slowest_tables(windows), *summary_tables(drawn, network=network)),
        notes=tuple(notes),
        basis=(BasisItem(_("Tests"), f"{len(drawn):,}"),),
    )


def _lines_chart(
    drawn: Sequence[OverlaidSeries],
    label: str,
    start: float | None,
    end: float | None,
    network: bool,
) -> Chart:
    tool: list[Trace] = []
    device: list[Trace] = []
    shown: list[Series] = []
    for one in drawn:
        for row in one.series:
            trace = series_trace(row, start, end)
            if all(value is None for value in trace.values):
                continue  # a device that wrote nothing has no wait of writes
            mine = Trace(trace.metric, f"{one.name} {trace.name}", trace.seconds, trace.values)
            (tool if row.source == Series.Source.TOOL else device).append(mine)
            shown.append(row)
    figure = time_series(tool, device, title="", labels={"time": _("Time")}, network=network)
    height = time_height(shown)
    return Chart("time", str(TITLE), label, figure, height=height, zoom=True)


__all__ = ["KEY", "TITLE", "accepts", "compute", "parse_query"]
