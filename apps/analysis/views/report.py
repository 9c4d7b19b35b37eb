"""Page of a run's report, and the report as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.analysis.registry import VIEWS
from apps.analysis.report.content import (
    RUN_REPORT_VIEWS,
    ReportPart,
    conditions_of_run,
    facts_of_run,
    reading_guide,
    report_of_run,
    summary_of_run,
    without_headline,
)
from apps.analysis.report.document import NAMES, make_document
from apps.analysis.report.load_order import TOP, LoadOrder
from apps.analysis.report.pdf import chromium
from apps.analysis.report.run_headline import headline_of
from apps.analysis.result import AnalysisResult
from apps.analysis.verdicts.baseline_links import baseline_links
from apps.common.cache import cached
from apps.common.errors import ServiceError
from apps.common.web.downloads import attached
from apps.results.selectors.results import comparable_summaries
from apps.runs.models import Run
from apps.runs.selectors.runs import runs_visible


@dataclass(frozen=True)
class DeferredPart:
    """Section of the page that is loaded from `url` after the request of `after` has ended."""

    name: str
    part: ReportPart
    url: str
    after: str


@require_safe
@login_required
def run_report(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the report, whose results are loaded one by one; with `?format=` as a file."""
    run = get_object_or_404(runs_visible(), pk=pk)
    file_format = request.GET.get("format", "")
    if file_format:
        return _file(request, run, file_format)
    measured = comparable_summaries().filter(run=run).exists()
    context = {
        "run": run,
        "facts": tuple(facts_of_run(run)),
        **(_fragments(run) if measured else {}),
        "formats": [(key, name) for key, name in NAMES.items() if key != "pdf" or chromium()],
        "reading": reading_guide() if measured else (),
    }
    return render(request, "analysis/report/report.html", context)


def _file(request: HttpRequest, run: Run, file_format: str) -> HttpResponse:
    try:
        result = make_document(report_of_run(run), file_format, request.GET.get("paper", "A4"))
    except ServiceError as refused:
        context = {"run": run, "refused": refused}
        return render(request, "analysis/report/report.html", context, status=refused.status)
    return attached(result.data, result.name, result.media_type)


def _fragments(run: Run) -> dict[str, object]:
    """Return the headline, which is loaded first, and the sections."""
    load_order = LoadOrder()
    load_order.after(TOP)
    top = reverse("run_report_top", args=[run.pk])
    return {"top": TOP, "top_url": top, "sections": tuple(_deferred_parts(run, load_order))}


def _deferred_parts(run: Run, load_order: LoadOrder) -> Iterator[DeferredPart]:
    for view in RUN_REPORT_VIEWS:
        name = f"section-{view}"
        url = reverse("run_report_part", args=[run.pk, view])
        yield DeferredPart(name, ReportPart(str(VIEWS[view].title)), url, load_order.after(name))


@require_safe
@login_required
def run_report_top(request: HttpRequest, pk: int) -> HttpResponse:
    """Render headline and conditions of a run's report."""
    run = get_object_or_404(runs_visible(), pk=pk)
    try:
        view, result = _first_result(run)
    except ServiceError as refused:
        return render(request, "analysis/partials/refused.html", {"refused": refused})
    _first_view(run, lambda: view)
    context = {"headline": result.headline, "conditions": conditions_of_run(run)}
    return render(request, "analysis/report/top.html", context)


def _part_result(run: Run, view: str) -> AnalysisResult:
    return VIEWS[view].analyse(QueryDict(f"run={run.pk}"))


def _first_result(run: Run) -> tuple[str, AnalysisResult]:
    """Return the first view with a result and the result, else the last. Raises: ServiceError."""
    for view in RUN_REPORT_VIEWS:
        result = _part_result(run, view)
        if not result.empty:
            break
    return view, result


def _first_view(run: Run, compute: Callable[[], str]) -> str:
    """Return the first view with a result, which the top of the page has stored for the parts.

    A comparison of thousands of workloads takes seconds: no part computes it to learn this alone.
    """
    return cached("run-report-first", run.pk, str, compute)


@require_safe
@login_required
def run_report_part(request: HttpRequest, pk: int, view: str) -> HttpResponse:
    """Render one view's result in a run's report; empty without a result."""
    run = get_object_or_404(runs_visible(), pk=pk)
    if view not in RUN_REPORT_VIEWS:
        raise Http404(view)
    try:
        result = _part_result(run, view)
    except ServiceError as refused:
        part = ReportPart(str(VIEWS[view].title), error=refused.message)
    else:
        if result.empty:
            return HttpResponse()
        part = ReportPart(result.title, result=result)
        if _is_first(run, view):
            part = without_headline(part)
    context = {"part": part, "number": view}
    return render(request, "analysis/report/part.html", context)


def _is_first(run: Run, view: str) -> bool:
    """Return True if this non-empty view is the first one. Raises: ServiceError (400)."""
    if view == RUN_REPORT_VIEWS[0]:
        return True
    return _first_view(run, lambda: _first_result(run)[0]) == view


@require_safe
@login_required
def run_findings(request: HttpRequest, pk: int) -> HttpResponse:
    """Render findings, one chart and medians on an ended run's page."""
    run = get_object_or_404(runs_visible(), pk=pk)
    try:
        context = {"run": run, "summary": summary_of_run(run), "against": baseline_links([run.pk])}
    except ServiceError as refused:
        return render(request, "analysis/partials/refused.html", {"refused": refused})
    return render(request, "analysis/report/findings.html", context)


@require_safe
@login_required
def run_headline(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the headline of a run, for the run list."""
    run = get_object_or_404(runs_visible(), pk=pk)
    context = {"run": run, "headline": headline_of(run)}
    return render(request, "analysis/report/headline.html", context)
