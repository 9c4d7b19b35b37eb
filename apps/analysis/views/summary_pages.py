"""Pages of views whose queries filter result summaries. All state is in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django_filters import FilterSet

from apps.analysis.queries.summary_query import SummaryQuery
from apps.analysis.queries.workload_filter import WorkloadFilter
from apps.analysis.queries.workload_metric import WorkloadMetric, choose_metric
from apps.analysis.queries.workloads import (
    MAX_LATEST,
    MeasuredWorkload,
    latest_workloads,
    measured_workloads,
)
from apps.analysis.registry import AnalysisView
from apps.analysis.result import AnalysisResult
from apps.common.errors import ServiceError
from apps.plans.models import Workload
from apps.results.selectors.results import comparable_summaries
from apps.tools.metrics import METRICS

MAX_LISTED = 100
"""Limit of offered workloads."""


class SummaryPageContext(TypedDict, total=False):
    """Context of analysis/summary_page.html. `rest`: query without the workload."""

    view: AnalysisView
    refused: ServiceError
    filter: FilterSet
    result: AnalysisResult
    workload: Workload | None
    workloads: list[MeasuredWorkload]
    latest: int
    rest: str
    clear_url: str


def summary_page(
    request: HttpRequest, view: AnalysisView, persistent_names: tuple[str, ...]
) -> HttpResponse:
    """Render the page of a view; the names `persistent_names` stay when the form is cleared."""
    context: SummaryPageContext = {"view": view}
    try:
        query: SummaryQuery[WorkloadFilter] = view.parse_query(request.GET)
        return _page(request, view, persistent_names, query)
    except ServiceError as refused:
        context["refused"] = refused
        return render(request, "analysis/summary_page.html", context, status=refused.status)


def _page(
    request: HttpRequest,
    view: AnalysisView,
    persistent_names: tuple[str, ...],
    query: SummaryQuery[WorkloadFilter],
) -> HttpResponse:
    context: SummaryPageContext = {"view": view, "result": view.result(query)}
    workload: Workload | None = getattr(query.filterset, "single_workload", None)
    shown = "metric" in query.filterset.filters
    if workload is not None and shown and (chosen := choose_metric(query.filterset, workload)):
        offer(query.filterset, chosen)
    pairs = [
        (name, value) for name in persistent_names for value in request.GET.getlist(name) if value
    ]
    offers = "workload" in persistent_names and "operation" in query.filterset.filters
    if offers and workload is None and context["result"].empty:
        context |= _offered_workloads(query.filterset, pairs)
    context |= {
        "filter": query.filterset,
        "workload": workload,
        "clear_url": f"?{urlencode(pairs)}",
    }
    return render(request, "analysis/summary_page.html", context)


def _offered_workloads(
    filterset: WorkloadFilter, pairs: Sequence[tuple[str, str]]
) -> SummaryPageContext:
    """Return workloads to choose from: of the selected targets, else the latest."""
    if pairs:
        return {
            "workloads": measured_workloads(filterset.qs, None, MAX_LISTED),
            "rest": urlencode(pairs),
        }
    return {"workloads": latest_workloads(comparable_summaries(), MAX_LISTED), "latest": MAX_LATEST}


def offer(filterset: WorkloadFilter, chosen: WorkloadMetric) -> None:
    """Set the form's metric and operation, and offer the measured ones."""
    form = filterset.form
    form.data = form.data.copy()
    form.data["metric"], form.data["operation"] = chosen.metric, chosen.operation
    form.fields["metric"].choices = [(key, _(METRICS[key].label)) for key in chosen.metrics]
    form.fields["operation"].widget = forms.Select(choices=[(o, o) for o in chosen.operations])
