"""The page of figures over one parameter. Everything is GET: the address is the state."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.analysis.sweep.query import accepts, parse_sweep_query
from apps.analysis.sweep.result import sweep_of
from apps.common.errors import ServiceError
from apps.runs.selectors.runs import runs_visible


@require_safe
@login_required
def sweep(request: HttpRequest) -> HttpResponse:
    """Curves of every level, and a table of all points."""
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
        "kept": found.question.compared.pairs(),
    }
    wrong = found.form is not None and not found.form.is_valid()
    return render(request, "analysis/sweep.html", context, status=400 if wrong else 200)


@require_safe
@login_required
def run_curve(request: HttpRequest, pk: int) -> HttpResponse:
    """A run's sweep, at the address that it had first."""
    run = get_object_or_404(runs_visible(), pk=pk)
    asked = [(OLD_NAMES.get(name, name), value) for name, value in request.GET.items() if value]
    pairs = [("run", str(run.pk)), *(pair for pair in asked if accepts(pair[0]))]
    return redirect(f"{reverse('sweep')}?{urlencode(pairs)}")


OLD_NAMES = {"operation": "show"}
