"""Recommended repeats of a plan."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from apps.analysis.verdicts.sample_size import recommended_repeats
from apps.plans.models import TestPlan


@require_safe
def plan_repeats(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the recommendation as a fragment of the plan's page."""
    plan = get_object_or_404(TestPlan, pk=pk)
    context = {"recommended": recommended_repeats(plan)}
    return render(request, "analysis/compare/partials/sample_size.html", context)
