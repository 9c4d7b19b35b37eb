"""Fragments with the conditions that would explain a difference, loaded after their page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.analysis.compare.causes import comparison_causes
from apps.analysis.history.causes import history_causes
from apps.analysis.history.selectors import history_read
from apps.analysis.queries.comparison_query import parse_comparison_query
from apps.analysis.queries.workload_filter import WorkloadFilter
from apps.analysis.queries.workload_metric import choose_metric
from apps.analysis.verdicts.comparison import compute_comparison
from apps.common.errors import ServiceError
from apps.results.selectors.results import comparable_summaries


@require_safe
@login_required
def compare_causes(request: HttpRequest) -> HttpResponse:
    """Render the conditions that would explain the differences of a comparison."""
    try:
        comparison = compute_comparison(parse_comparison_query(request.GET))
    except ServiceError as refused:
        return HttpResponse(
            refused.message, status=refused.status, content_type="text/plain; charset=utf-8"
        )
    reports = comparison_causes(comparison, request.GET.get("group", ""))
    return render(request, "analysis/partials/causes.html", {"reports": reports})


@require_safe
@login_required
def history_changes_causes(request: HttpRequest) -> HttpResponse:
    """Render the conditions that would explain the changes of a history."""
    filterset = WorkloadFilter(request.GET, queryset=comparable_summaries())
    if not filterset.form.is_valid():
        return HttpResponse(
            str(filterset.form.errors.as_text()),
            status=400,
            content_type="text/plain; charset=utf-8",
        )
    workload = filterset.single_workload
    chosen = choose_metric(filterset, workload) if workload else None
    if workload is None or chosen is None:
        return render(request, "analysis/partials/causes.html", {"reports": ()})
    history = history_read(filterset.qs, metric=chosen.metric, operation=chosen.operation)
    reports = history_causes(history, workload, chosen.metric)
    return render(request, "analysis/partials/causes.html", {"reports": reports})
