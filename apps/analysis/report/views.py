"""The page of a run's report, and the same as a file."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from apps.analysis.compare.against import against
from apps.analysis.report.content import report_of_run, summary_of_run
from apps.analysis.report.document import NAMES, made
from apps.analysis.report.headline import headline_of
from apps.analysis.report.pdf import chromium
from apps.common.errors import Refused
from apps.common.web.downloads import attached
from apps.runs.selectors import runs_visible


@require_safe
@login_required
def run_report(request: HttpRequest, pk: int) -> HttpResponse:
    """The report as a page; with `?format=` as a file."""
    run = get_object_or_404(runs_visible(), pk=pk)
    wanted = request.GET.get("format", "")
    try:
        report = report_of_run(run)
        found = made(report, wanted, request.GET.get("paper", "A4")) if wanted else None
    except Refused as refused:
        context = {"run": run, "refused": refused}
        return render(request, "analysis/report/report.html", context, status=refused.status)
    if found is None:
        formats = [(key, name) for key, name in NAMES.items() if key != "pdf" or chromium()]
        context = {"run": run, "report": report, "formats": formats}
        return render(request, "analysis/report/report.html", context)
    return attached(found.data, found.name, found.media_type)


@require_safe
@login_required
def run_said(request: HttpRequest, pk: int) -> HttpResponse:
    """The fragment of a finished run's page: what it says, one chart, medians with their spread."""
    run = get_object_or_404(runs_visible(), pk=pk)
    try:
        context = {"run": run, "summary": summary_of_run(run), "against": against([run.pk])}
    except Refused as refused:
        return render(request, "analysis/partials/refused.html", {"refused": refused})
    return render(request, "analysis/report/said.html", context)


@require_safe
@login_required
def run_headline(request: HttpRequest, pk: int) -> HttpResponse:
    """The fragment of a list of runs: what this one found."""
    run = get_object_or_404(runs_visible(), pk=pk)
    context = {"run": run, "headline": headline_of(run)}
    return render(request, "analysis/report/headline.html", context)
