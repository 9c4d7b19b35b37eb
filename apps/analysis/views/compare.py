"""Page of comparisons, its charts and its CSV. All state is in the URL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypedDict
from urllib.parse import parse_qsl, urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.analysis.compare.charts import comparison_charts
from apps.analysis.compare.charts.comparison_charts import MAINS
from apps.analysis.compare.forms import CompareForm
from apps.analysis.compare.page.page_data import ComparisonPage, TablesPage, View
from apps.analysis.presenters.comparison_csv import comparison_csv
from apps.analysis.queries.comparison_query import ComparisonQuery, parse_comparison_query
from apps.analysis.queries.comparison_runs import ExcludedResults
from apps.analysis.repeats.groups import Group
from apps.analysis.repeats.repeats import Repeats
from apps.analysis.result import Link
from apps.analysis.verdicts.baseline_links import baseline_links
from apps.analysis.verdicts.comparison import (
    Choices,
    ComparisonResult,
    compute_comparison,
    excluded_with_reasons,
    grouped,
)
from apps.analysis.verdicts.expectations import expectation_rows
from apps.analysis.verdicts.precision_rule import decisions_of
from apps.analysis.verdicts.verdict_text import SHORT
from apps.common.domain.charts import ChartFigure
from apps.common.errors import ServiceError
from apps.results.presenters.expectations import ExpectationsCard, expectations_card
from apps.runs.models import Run, RunExtension
from apps.tools.metrics import COMPARISON_METRICS, TABLE_METRICS

CHARTS = (MAINS, *COMPARISON_METRICS)


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Render the comparison of the query; redirects to its canonical form."""
    try:
        query = parse_comparison_query(request.GET)
        if request.GET.get("format") == "csv":
            return _csv(compute_comparison(query))
        if elsewhere := _canonical_url(request, query):
            return redirect(elsewhere)
        return _page(request, ComparisonPage(query))
    except ServiceError as refused:
        return _error_page(request, refused)


def _page(request: HttpRequest, comparison_page: ComparisonPage) -> HttpResponse:
    query, result = comparison_page.query, comparison_page.page(view_of(request))
    better = _proposed_query(request, query, result)
    if better != _query_pairs(request):
        return redirect(_address(better))
    return render(
        request, "analysis/compare/compare.html", _context(request, comparison_page, result)
    )


def _canonical_url(request: HttpRequest, query: ComparisonQuery) -> str:
    """Return the URL of the query in canonical form if it differs; computes no comparison.

    "factor=tuning" is checked with the result.
    """
    pairs = _query_pairs(request)
    if ("factor", "tuning") in pairs:
        return ""
    ordered = query.pairs() + _view_state(request)
    return "" if pairs == ordered else _address(ordered)


def _proposed_query(
    request: HttpRequest, query: ComparisonQuery, result: TablesPage
) -> list[tuple[str, str]]:
    """Return the query by a swept number if one tuning was measured.

    Unless the query names the factor, which then stays in the URL.
    """
    if not result.sweep:
        return query.pairs() + _view_state(request)
    if "factor" not in request.GET:
        return replace(query, factor=f"param:{result.sweep}").pairs() + _view_state(request)
    return [*query.pairs(), ("factor", "tuning"), *_view_state(request)]


def _query_pairs(request: HttpRequest) -> list[tuple[str, str]]:
    return parse_qsl(request.META.get("QUERY_STRING", ""), keep_blank_values=True)


def _address(pairs: list[tuple[str, str]]) -> str:
    return f"{reverse('compare')}?{urlencode(pairs)}".rstrip("?")


@require_safe
def figure(request: HttpRequest, name: str) -> HttpResponse:
    """Return one chart: bars, forest or percentiles."""
    if name not in FIGURES:
        raise Http404
    try:
        return JsonResponse(FIGURES[name](request, parse_comparison_query(request.GET)))
    except ServiceError as refused:
        return JsonResponse({"error": refused.message}, status=refused.status)


@require_safe
def distribution(request: HttpRequest) -> HttpResponse:
    """Render a workload's merged percentiles, loaded when opened."""
    try:
        query = parse_comparison_query(request.GET)
        repeats, group = _group_or_404(request, query)
    except ServiceError as refused:
        return HttpResponse(
            refused.message, status=refused.status, content_type="text/plain; charset=utf-8"
        )
    merged = comparison_charts.merged_histograms(repeats, group)
    context = {
        "slug": group.slug,
        "percents": comparison_charts.MERGED,
        "rows": comparison_charts.merged_percentiles(merged),
        "query": query.urlencode(("group", group.slug)),
    }
    return render(request, "analysis/compare/partials/distribution.html", context)


@require_safe
def details(request: HttpRequest) -> HttpResponse:
    """Render one workload's table, loaded when opened."""
    try:
        query = parse_comparison_query(request.GET)
        result = ComparisonPage(query).page(view_of(request))
    except ServiceError as refused:
        return HttpResponse(
            refused.message, status=refused.status, content_type="text/plain; charset=utf-8"
        )
    if result.table is None:
        raise Http404
    context = {"table": result.table, "query": query.urlencode(), "factor": result.factor}
    return render(request, "analysis/compare/partials/table.html", context)


class PageContext(TypedDict):
    """Context of the page. `charts`: (metric, label, query); `proposals`: (label, query)."""

    shown: TablesPage
    runs: Sequence[Run]
    expectations: ExpectationsCard
    decisions: list[RunExtension]
    left_out: ExcludedResults
    comparison_query: ComparisonQuery
    form: CompareForm
    query: str
    swapped: str
    figure_query: str
    charts: list[tuple[str, str, str]]
    chart: str
    proposals: list[tuple[str, str]]
    against: list[Link]
    open: str
    bars_height: str
    forest_height: str
    newer: str
    older: str


def _context(
    request: HttpRequest, comparison_page: ComparisonPage, result: TablesPage
) -> PageContext:
    query, view, related = comparison_page.query, view_of(request), comparison_page.related
    ids = [run.pk for run in comparison_page.runs]
    state = [("page", str(result.page))] if result.page > 1 else []
    chart = view.chart or result.chart
    label = result.choices.params.get(query.param, query.param)
    return {
        "shown": result,
        "runs": comparison_page.runs,
        "expectations": expectations_card(
            expectation_rows(query, comparison_page.runs) if related.expectations else []
        ),
        "decisions": decisions_of(comparison_page.runs) if related.decisions else [],
        "left_out": excluded_with_reasons(ids, result.without, label, related),
        "comparison_query": query,
        "form": CompareForm(query, _levels(result), result.choices),
        "query": query.urlencode(),
        "swapped": swapped_query(query, result.level_names),
        "figure_query": query.urlencode(*state),
        "charts": [
            (key, label, query.urlencode(*state, ("chart", key)))
            for key, label in _charts(query, result)
        ],
        "chart": chart,
        "proposals": _proposals(query, result),
        "against": baseline_links(ids) if related.baselines else [],
        "open": view.group,
        "bars_height": f"{result.bars_height}px",
        "forest_height": f"{result.forest_height}px",
        "newer": f"?{query.urlencode(('page', str(result.page - 1)))}" if result.page > 1 else "",
        "older": (
            f"?{query.urlencode(('page', str(result.page + 1)))}"
            if result.page < result.last_page
            else ""
        ),
    }


def _levels(result: TablesPage) -> list[tuple[str, str]]:
    """Return (name, label) of each level."""
    return list(zip(result.level_names, result.levels, strict=True))


def swapped_query(query: ComparisonQuery, levels: Sequence[str]) -> str:
    """Return the query with the other of two levels as baseline; empty for more levels."""
    return replace(query, baseline=levels[1]).urlencode() if len(levels) == 2 else ""


def _charts(query: ComparisonQuery, result: TablesPage) -> list[tuple[str, str]]:
    """Return (key, label) of the metrics of the bars."""
    mains = [(MAINS, _("Main metrics"))] if result.usual_chart == MAINS else []
    keys = [key for key in COMPARISON_METRICS if key in TABLE_METRICS or key in query.metrics]
    return mains + [(key, str(SHORT[key])) for key in keys]


def _proposals(query: ComparisonQuery, result: TablesPage) -> list[tuple[str, str]]:
    """Return (label, query) of every parameter to compare by if there is one tuning."""
    return [
        (result.choices.params[name], replace(query, factor=f"param:{name}").urlencode())
        for name in result.proposed
    ]


def view_of(request: HttpRequest) -> View:
    """Return the shown part of the page; an invalid number is the first page."""
    page, chart = request.GET.get("page", "1"), request.GET.get("chart", "")
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 7 else 1
    return View(number, request.GET.get("group", ""), chart if chart in CHARTS else "")


def _view_state(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the view's part of the URL."""
    names = ("page", "chart", "group")
    return [(name, request.GET[name]) for name in names if request.GET.get(name)]


def _error_page(request: HttpRequest, refused: ServiceError) -> HttpResponse:
    query = ComparisonQuery()
    context = {
        "refused": refused,
        "form": CompareForm(query, (), Choices()),
        "comparison_query": query,
    }
    return render(request, "analysis/compare/compare.html", context, status=refused.status)


def _csv(comparison: ComparisonResult) -> HttpResponse:
    response = HttpResponse(comparison_csv(comparison), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="comparison.csv"'
    return response


def _group_or_404(request: HttpRequest, query: ComparisonQuery) -> tuple[Repeats, Group]:
    slug = request.GET.get("group", "")
    repeats, every = grouped(query)
    result = [group for group in every.groups if group.slug == slug]
    if not result:
        raise Http404
    return repeats, result[0]


def _bars(request: HttpRequest, query: ComparisonQuery) -> ChartFigure:
    if request.GET.get("chart", MAINS) not in CHARTS:
        raise Http404
    return ComparisonPage(query).bars(view_of(request))


def _forest(request: HttpRequest, query: ComparisonQuery) -> ChartFigure:
    return ComparisonPage(query).forest(view_of(request))


def _percentiles(request: HttpRequest, query: ComparisonQuery) -> ChartFigure:
    merged = comparison_charts.merged_histograms(*_group_or_404(request, query))
    return comparison_charts.percentile_figure(merged)


FIGURES: dict[str, Callable[[HttpRequest, ComparisonQuery], ChartFigure]] = {
    "bars": _bars,
    "forest": _forest,
    "percentiles": _percentiles,
}
