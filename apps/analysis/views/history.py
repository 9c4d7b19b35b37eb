"""Page of a workload's history."""

from __future__ import annotations

from typing import TypedDict
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.analysis.history.page_data import HistoryPage, history_page
from apps.analysis.queries.summary_query import canonical
from apps.analysis.queries.workload_filter import WorkloadFilter
from apps.analysis.queries.workload_metric import choose_metric
from apps.analysis.queries.workloads import (
    MAX_LATEST,
    MeasuredWorkload,
    latest_workloads,
    measured_workloads,
)
from apps.analysis.views.summary_pages import offer
from apps.common.cache import cached
from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_name
from apps.results.selectors.results import comparable_summaries
from apps.tools.metrics import METRICS, Metric

MAX_LISTED = 300
"""Limit of listed workloads."""


class HistoryContext(TypedDict, total=False):
    """Context of the page.

    `target_query`: query of target and host, `row_query`: also of the metric. `exported`: query of
    the URL.
    """

    filter: WorkloadFilter
    target_query: str
    row_query: str
    target: str
    exported: str
    clear_url: str
    workloads: list[MeasuredWorkload]
    listed: int
    latest: int
    workload: Workload
    workload_name: str
    shown: HistoryPage
    metric: Metric
    operation: str


@require_safe
@login_required
def history(request: HttpRequest) -> HttpResponse:
    """One workload's history on a target or host; without a workload those that there are."""
    filterset = WorkloadFilter(request.GET, queryset=comparable_summaries())
    target_query = _target_query(request)
    context: HistoryContext = {"filter": filterset, "target_query": target_query}
    if not filterset.form.is_valid():
        return render(request, "analysis/history.html", context, status=400)
    target = filterset.single_target
    context |= {
        "target": str(target.row) if target else "",
        "exported": request.GET.urlencode(),
    }
    workload: Workload | None = filterset.single_workload
    if workload is None:
        context |= {"clear_url": f"?{target_query}", "row_query": _target_query(request, "metric")}
        context |= _workload_list(filterset)
        return render(request, "analysis/history.html", context)
    context["clear_url"] = f"?workload={workload.key}&{target_query}"
    context |= _workload_context(filterset, workload)
    return render(request, "analysis/history.html", context)


def _target_query(request: HttpRequest, *further: str) -> str:
    """Return target, host and `further` parameters of the URL, for links to other workloads."""
    names = ("target", "host", *further)
    return urlencode(
        [(name, value) for name in names for value in request.GET.getlist(name) if value]
    )


def _workload_list(filterset: WorkloadFilter) -> HistoryContext:
    target = filterset.single_target
    if target is None and not filterset.form.cleaned_data["host"]:
        return {"workloads": latest_workloads(filterset.qs, MAX_LISTED), "latest": MAX_LATEST}
    return {
        "workloads": measured_workloads(filterset.qs, target, MAX_LISTED),
        "listed": MAX_LISTED,
    }


def _workload_context(filterset: WorkloadFilter, workload: Workload) -> HistoryContext:
    chosen = choose_metric(filterset, workload)
    named: HistoryContext = {"workload": workload, "workload_name": workload_name(workload)}
    if chosen is None:
        return named
    offer(filterset, chosen)
    return named | {
        "shown": cached(
            "history page",
            canonical(filterset.data, filterset.form.fields),
            HistoryPage,
            lambda: history_page(filterset, workload, chosen),
        ),
        "metric": METRICS[chosen.metric],
        "operation": chosen.operation,
    }
