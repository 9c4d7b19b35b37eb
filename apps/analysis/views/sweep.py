"""Page of the parameter sweep. All state is in the URL."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.analysis.sweep.query import parse_sweep_query
from apps.analysis.sweep.result import sweep_of
from apps.common.errors import ServiceError


@require_safe
@login_required
def sweep(request: HttpRequest) -> HttpResponse:
    """Render the curves of every level, and a table of all points."""
    try:
        result = sweep_of(parse_sweep_query(request.GET))
    except ServiceError as refused:
        return render(request, "analysis/sweep.html", {"refused": refused}, status=refused.status)
    runs = result.comparison.runs
    context = {
        "form": result.form,
        "result": result.result,
        "runs": runs,
        "run": runs[0] if len(runs) == 1 else None,
        "hidden_values": result.query.compared.pairs(),
    }
    is_invalid = result.form is not None and not result.form.is_valid()
    return render(request, "analysis/sweep.html", context, status=400 if is_invalid else 200)
