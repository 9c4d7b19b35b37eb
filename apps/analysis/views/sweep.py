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
        found = sweep_of(parse_sweep_query(request.GET))
    except ServiceError as refused:
        return render(request, "analysis/sweep.html", {"refused": refused}, status=refused.status)
    runs = found.comparison.runs
    context = {
        "form": found.form,
        "result": found.result,
        "runs": runs,
        "run": runs[0] if len(runs) == 1 else None,
        "kept": found.query.compared.pairs(),
    }
    is_invalid = found.form is not None and not found.form.is_valid()
    return render(request, "analysis/sweep.html", context, status=400 if is_invalid else 200)
