"""Pages and charts of cases."""

from __future__ import annotations

import math

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.accounts.permissions import user_of
from apps.common.domain.charts import ChartFigure
from apps.plans.domain.workload_labels import is_buffered
from apps.results.presenters import charts
from apps.results.presenters.applied_settings import settings_of
from apps.results.presenters.background import background_card
from apps.results.presenters.case import (
    attempt_facts,
    attempt_rows,
    case_facts,
    command_text,
    figures_of,
    latency_rows,
)
from apps.results.presenters.case_advice import case_advice
from apps.results.presenters.coarse import coarse_rows
from apps.results.presenters.conditions import conditions_of_workload
from apps.results.presenters.costs import cost_card
from apps.results.presenters.disturbance import disturbance_card, disturbance_chart
from apps.results.presenters.expectations import case_expectations
from apps.results.presenters.network import network_rows
from apps.results.presenters.over_time import time_rows
from apps.results.presenters.participants import host_rows, starts_words
from apps.results.presenters.shares import share_rows
from apps.results.presenters.tool_disk_stats import device_rows
from apps.results.presenters.write_saturation import written_chart, written_series
from apps.results.selectors.disturbances import disturbance_of, disturbed_repeats
from apps.runs.models import Attempt, Case
from apps.runs.presenters.workloads import label_of
from apps.runs.selectors.runs import SHARED, case_alone
from apps.runs.services.artifacts import attempt_stderr
from apps.tools.registry import bypasses_block_layer, measures_network

STOP_POLLING = 286


@require_safe
def case_detail(request: HttpRequest, pk: int) -> HttpResponse:
    context = _context(request, pk)
    return render(request, "results/case_detail.html", context)


@require_safe
def case_body(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the body of the page for polling; status 286 ends it with the case."""
    context = _context(request, pk)
    status = 200 if context["is_open"] else STOP_POLLING
    return render(request, "results/partials/case_body.html", context, status=status)


@require_safe
def case_figure(request: HttpRequest, pk: int, number: int, kind: str) -> JsonResponse:
    """Return a chart of attempt `number`.

    Kinds: percentiles, histogram (`?operation=`), written, disturbance, and time or hosts
    (`?from=&to=` in seconds).
    """
    attempt = get_object_or_404(_attempts(), case_id=pk, number=number)
    if kind == "percentiles":
        return JsonResponse(charts.percentile_chart(attempt))
    if kind == "histogram":
        return _figure_or_404(charts.histogram_chart(attempt, request.GET.get("operation", "")))
    if kind == "disturbance":
        repeats = disturbed_repeats(attempt.case, attempt)
        return _figure_or_404(disturbance_chart(repeats) if repeats else None)
    if kind == "written":
        return _figure_or_404(written_chart(attempt))
    if kind not in ("time", "hosts"):
        raise Http404(kind)
    try:
        start, end = _second(request, "from"), _second(request, "to")
    except ValueError:
        return JsonResponse({"error": _("from and to are numbers of seconds.")}, status=400)
    chart = charts.hosts_chart if kind == "hosts" else charts.time_chart
    return JsonResponse(chart(attempt, start=start, end=end))


def _figure_or_404(figure: ChartFigure | None) -> JsonResponse:
    if figure is None:
        raise Http404
    return JsonResponse(figure)


def _second(request: HttpRequest, name: str) -> float | None:
    raw = request.GET.get(name)
    if raw is None:
        return None
    value = float(raw)
    if not math.isfinite(value):
        raise ValueError(name)
    return value


def _attempts() -> QuerySet[Attempt]:
    shared = (f"case__{name}" for name in SHARED)
    return Attempt.objects.select_related("facts", *shared)


def _context(request: HttpRequest, pk: int) -> dict[str, object]:
    case = get_object_or_404(case_alone(), pk=pk)
    attempts = list(case.attempts.select_related("facts", "cost").order_by("number"))
    label = label_of(case)
    context: dict[str, object] = {
        "case": case,
        "label": label,
        "workloads": [case.workload],
        "case_rows": case_facts(case, label),
        "is_buffered": is_buffered(case.workload.tool, case.workload.params),
        "is_unchecked": not case.run.is_imported and bypasses_block_layer(case.tool, case.params),
        "conditions": conditions_of_workload(case.workload, is_imported=case.run.is_imported),
        "advice": case_advice(case),
        "attempts": attempt_rows(case, attempts),
        "is_open": case.state in ("pending", "running"),
        "may_edit": case.run.is_editable(user_of(request)),
    }
    shown = _chosen(request, attempts)
    context |= {"host_rows": host_rows(case, shown), "starts_words": starts_words(shown)}
    context["background"] = background_card(case, shown)
    return context | (_of_attempt(case, shown) if shown else {})


def _chosen(request: HttpRequest, attempts: list[Attempt]) -> Attempt | None:
    """Return the attempt of `?attempt=`, else the newest."""
    number = request.GET.get("attempt", "")
    named = [attempt for attempt in attempts if str(attempt.number) == number]
    return (named or attempts)[-1] if attempts else None


def _of_attempt(case: Case, attempt: Attempt) -> dict[str, object]:
    figures = figures_of(attempt)
    series, hosts = charts.all_series(attempt)
    drawn = [one for one in series if one.length]
    written = written_series(case, drawn)
    document = disturbance_of(attempt)
    return {
        "attempt": attempt,
        "disturbance": disturbance_card(document) if document else None,
        "figures": figures,
        "expectations": case_expectations(case) if figures else None,
        "workloads": list({each.row.workload: None for each in figures}) or [case.workload],
        "latencies": latency_rows(figures),
        "network": network_rows(figures) if measures_network(case.tool) else [],
        "coarse": coarse_rows(figures),
        "costs": cost_card(attempt),
        "devices": device_rows(figures, series),
        "has_histogram": any(result.has_histogram for result in figures),
        "series_summaries": time_rows(series),
        "host_summaries": time_rows(hosts),
        "hosts_height": f"{charts.time_height(hosts)}px" if charts.has_course(hosts) else "",
        "written_height": f"{charts.time_height(written)}px" if written else "",
        "time_height": f"{charts.time_height(drawn)}px" if charts.has_course(drawn) else "",
        "is_too_short": bool(drawn) and not charts.has_course(drawn),
        "command": command_text(attempt),
        "settings": settings_of(attempt),
        "shares": share_rows(attempt),
        "facts": attempt_facts(attempt),
        "files": list(attempt.artifacts.select_related("blob")),
        "stderr": attempt_stderr(attempt),
    }
