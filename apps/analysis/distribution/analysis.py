"""Analysis view "distribution": merged latency of any set of results."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.distribution.figures import curves_chart, histograms_chart
from apps.analysis.distribution.filters import BY, USUAL, DistributionFilter
from apps.analysis.distribution.result import PROPERTIES, Merged, merged
from apps.analysis.distribution.selectors import (
    MAX_HISTOGRAMS,
    DistributionRead,
    distributions_read,
)
from apps.analysis.queries.summary_query import SummaryQuery, empty_result
from apps.analysis.result import AnalysisResult, BasisItem, Chart, Column, Finding, Row, Table
from apps.common.domain.value_format import format_value
from apps.tools.metrics import METRICS, TAIL

KEY = "distribution"
TITLE = lazy("Latency distribution")
FILTER = DistributionFilter
_KEYS = {metric.percentile: key for key, metric in METRICS.items() if metric.percentile}
MAX_CURVES = 12
"""Limit of curves on a chart; the table has all."""


def compute(query: SummaryQuery[DistributionFilter]) -> AnalysisResult:
    """Return percentiles and histograms of the selected results."""
    filterset = query.filterset
    if filterset.selection.names_nothing:
        return AnalysisResult(
            KEY,
            str(TITLE),
            query.query,
            empty=_("Name runs, tests, a workload, a host or a target."),
        )
    read = distributions_read(filterset.qs, filterset.form.cleaned_data["operation"])
    curves = merged(read.results, filterset.grouping)
    if not curves:
        text = _("None of these comparable results has a latency histogram.")
        return empty_result(KEY, TITLE, query, text)
    return _result(query, read, curves)


def _result(
    query: SummaryQuery[DistributionFilter], read: DistributionRead, curves: list[Merged]
) -> AnalysisResult:
    by, drawn = BY[query.filterset.grouping], curves[:MAX_CURVES]
    latency, title = _("Latency"), _("Latency by percentile")
    percentile = curves_chart(drawn)
    histogram = histograms_chart(drawn, latency=latency, share=_("Share of operations"))
    second = _("Histograms over each other")
    return AnalysisResult(
        view=KEY,
        title=str(TITLE),
        query=query.query,
        subject=_shared_properties(read),
        headline=tuple(_headline(curves)),
        charts=(
            Chart("percentiles", title, title, percentile),
            Chart("histograms", second, second, histogram, height=320),
        ),
        tables=(_percentiles(curves, query.filterset.percentiles),),
        notes=tuple(_notes(read, curves)),
        basis=(
            BasisItem(_("Results"), f"{len(read.results):,}"),
            BasisItem(_("Operations measured"), f"{sum(one.operations for one in curves):,}"),
            BasisItem(_("A curve for each"), str(by)),
        ),
    )


def _shared_properties(read: DistributionRead) -> str:
    """Return the properties that all results share."""
    values = [{row.properties[name] for row in read.results} for name in PROPERTIES]
    return " · ".join(next(iter(own)) for own in values if len(own) == 1)


def _headline(curves: Sequence[Merged]) -> list[Finding]:
    if len(curves) == 1:
        half, most, rare = curves[0].at((TAIL[0], TAIL[2], TAIL[5]))
        text = _("Half of {n} operations took at most {half}, 99 % {most}, 99.999 % {rare}.")
        n = f"{curves[0].operations:,}"
        return [
            Finding(
                text.format(
                    n=n,
                    half=_nanoseconds_text(half),
                    most=_nanoseconds_text(most),
                    rare=_nanoseconds_text(rare),
                )
            )
        ]
    text = _("p{percent}: {low} has the lowest latency ({least}), {high} the highest ({largest}).")
    lines = []
    for percent in (TAIL[0], TAIL[2], TAIL[3]):
        rows = sorted((one.at((percent,))[0] or 0, one.name) for one in curves)
        (least, low), (largest, high) = rows[0], rows[-1]
        values = {"least": _nanoseconds_text(least), "largest": _nanoseconds_text(largest)}
        lines.append(Finding(text.format(percent=percent, low=low, high=high, **values)))
    return lines


def _nanoseconds_text(value: int | None) -> str:
    return format_value(value, "ns")


def _notes(read: DistributionRead, curves: Sequence[Merged]) -> list[str]:
    lines = [_("Histograms are added bin by bin and percentiles taken from the sum, as fio does.")]
    if len(curves) > MAX_CURVES:
        text = _("{drawn} of {all} curves are drawn; the table has all.")
        lines.append(text.format(drawn=MAX_CURVES, all=len(curves)))
    if read.without:
        text = _("{n} results have no histogram and are left out.")
        lines.append(text.format(n=f"{read.without:,}"))
    if read.more:
        text = _("The newest {most} results; there are older ones.")
        lines.append(text.format(most=f"{MAX_HISTOGRAMS:,}"))
    return lines


def _percentiles(curves: Sequence[Merged], names: Sequence[str]) -> Table:
    columns = (
        Column("name", _("Curve")),
        Column("results", _("Results"), "number", spare=True),
        Column("operations", _("Operations"), "number", spare=True),
        *(Column(f"p{name}", f"p{name}", "metric", "ns", _KEYS.get(name, "")) for name in names),
        Column("largest", _("Largest"), "metric", "ns", "latency_max"),
    )
    rows = [
        Row((one.name or _("all"), one.results, one.operations, *one.at((*names, "100"))), one.case)
        for one in curves
    ]
    note = _(
        "A percentile is known to the width of fio's bin, at most 1.6 %."
        " Write others above: 50, 99.95."
    )
    return Table("percentiles", _("Percentiles"), columns, tuple(rows), note)


__all__ = ["FILTER", "KEY", "TITLE", "USUAL", "compute"]
