"""The page of comparisons, its charts and its CSV. Everything is GET: the address is the state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.analysis.compare import charts_of, page
from apps.analysis.compare.comparison import Comparison, answer, grouped
from apps.analysis.compare.export import comparison_csv
from apps.analysis.compare.forms import CompareForm
from apps.analysis.compare.groups import Group
from apps.analysis.compare.question import Question, question_of
from apps.analysis.compare.summary import overall, summaries
from apps.analysis.compare.words import SHORT
from apps.common.charts import ChartFigure
from apps.common.errors import Refused
from apps.tools.metrics import COMPARED

UNEVEN_BARS = 30
"""Above this ratio of the largest to the smallest IOPS, bars show bandwidth first."""


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """The comparison that the query asks for; a query in another order is sent to its own one."""
    try:
        question = question_of(request.GET)
        comparison = answer(question)
    except Refused as refused:
        return _refused(request, refused)
    if request.GET.get("format") == "csv":
        return _csv(comparison)
    if comparison.sweep and "factor" not in request.GET:
        better = replace(question, factor=f"param:{comparison.sweep}")
        return redirect(f"{reverse('compare')}?{better.query(*_view_state(request))}")
    pairs = question.pairs() + _view_state(request)
    if comparison.sweep:  # asked for: without it in the address, the proposal would come again
        pairs = [*question.pairs(), ("factor", "tuning"), *_view_state(request)]
    if pairs != parse_qsl(request.META.get("QUERY_STRING", ""), keep_blank_values=True):
        return redirect(f"{reverse('compare')}?{urlencode(pairs)}".rstrip("?"))
    return render(request, "analysis/compare/compare.html", _context(request, question, comparison))


@require_safe
def figure(request: HttpRequest, name: str) -> HttpResponse:
    """One chart as JSON: bars, forest or percentiles, of the same query as the page."""
    if name not in FIGURES:
        raise Http404
    try:
        return JsonResponse(FIGURES[name](request, question_of(request.GET)))
    except Refused as refused:
        return JsonResponse({"error": refused.message}, status=refused.status)


@require_safe
def distribution(request: HttpRequest) -> HttpResponse:
    """The fragment with a workload's merged percentiles, asked for when it is opened."""
    try:
        question = question_of(request.GET)
        group = _group(request, question)
    except Refused as refused:
        return HttpResponse(refused.message, status=refused.status, content_type="text/plain")
    merged = charts_of.merged_histograms(group)
    context = {
        "slug": group.slug,
        "percents": charts_of.MERGED,
        "rows": charts_of.merged_percentiles(merged),
        "query": question.query(("group", group.slug)),
    }
    return render(request, "analysis/compare/partials/distribution.html", context)


def _context(request: HttpRequest, question: Question, comparison: Comparison) -> dict[str, Any]:
    results, number, last = _page_of(request, comparison.results)
    chart = request.GET.get("chart") or _first_chart(comparison)
    state = [("page", str(number))] if number > 1 else []
    lines = summaries(comparison)
    return {
        "comparison": comparison,
        "question": question,
        "form": CompareForm(question, comparison),
        "overall": overall(lines, comparison.baseline),
        "tables": page.tables(comparison, results, lines),
        "query": question.query(),
        "figure_query": question.query(*state),
        "charts": [
            (key, str(SHORT[key]), question.query(*state, ("chart", key))) for key in COMPARED
        ],
        "chart": chart,
        "proposals": _proposals(comparison),
        "chart_label": SHORT.get(chart, ""),
        "open": request.GET.get("group", ""),
        "forest_height": f"{charts_of.forest_height(results)}px",
        "newer": f"?{question.query(('page', str(number - 1)))}" if number > 1 else "",
        "older": f"?{question.query(('page', str(number + 1)))}" if number < last else "",
        "page": number,
        "last_page": last,
    }


def _proposals(comparison: Comparison) -> list[tuple[str, str]]:
    """(label, query) of every parameter to compare by where there is only one tuning."""
    labels = comparison.choices.params
    return [
        (labels[name], replace(comparison.question, factor=f"param:{name}").query())
        for name in comparison.proposed
    ]


def _page_of(request: HttpRequest, rows: tuple[Any, ...]) -> tuple[tuple[Any, ...], int, int]:
    """The rows of the page asked for, its number, and the last one's."""
    text = request.GET.get("page", "1")
    last = max(1, -(-len(rows) // page.PAGE_SIZE))
    asked = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1
    number = min(max(asked, 1), last)
    return rows[(number - 1) * page.PAGE_SIZE : number * page.PAGE_SIZE], number, last


def _view_state(request: HttpRequest) -> list[tuple[str, str]]:
    """What is looked at, beside what is compared: kept in the address as well."""
    names = ("page", "chart", "group")
    return [(name, request.GET[name]) for name in names if request.GET.get(name)]


def _first_chart(comparison: Comparison) -> str:
    """The headline metric; bandwidth where IOPS of small and large blocks do not fit one axis."""
    medians = [
        line.baseline.median
        for result in comparison.results
        if (line := result.line("iops")) is not None and line.baseline.median
    ]
    if comparison.headline == "iops" and medians and max(medians) > UNEVEN_BARS * min(medians):
        return "bandwidth"
    return comparison.headline


def _refused(request: HttpRequest, refused: Refused) -> HttpResponse:
    question = Question()
    context = {
        "refused": refused,
        "form": CompareForm(question, answer(question)),
        "question": question,
    }
    return render(request, "analysis/compare/compare.html", context, status=refused.status)


def _csv(comparison: Comparison) -> HttpResponse:
    response = HttpResponse(comparison_csv(comparison), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="comparison.csv"'
    return response


def _group(request: HttpRequest, question: Question) -> Group:
    slug = request.GET.get("group", "")
    found = [group for group in grouped(question).groups if group.slug == slug]
    if not found:
        raise Http404
    return found[0]


def _bars(request: HttpRequest, question: Question) -> ChartFigure:
    groups, _number, _last = _page_of(request, grouped(question).groups)
    metric = request.GET.get("chart", COMPARED[0])
    if metric not in COMPARED:
        raise Http404
    return charts_of.bars_figure(groups, metric)


def _forest(request: HttpRequest, question: Question) -> ChartFigure:
    comparison = answer(question)
    results, _number, _last = _page_of(request, comparison.results)
    return charts_of.forest_figure(comparison, results)


def _percentiles(request: HttpRequest, question: Question) -> ChartFigure:
    merged = charts_of.merged_histograms(_group(request, question))
    return charts_of.percentile_figure(merged)


FIGURES: dict[str, Callable[[HttpRequest, Question], ChartFigure]] = {
    "bars": _bars,
    "forest": _forest,
    "percentiles": _percentiles,
}
