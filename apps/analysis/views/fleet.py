"""Pages of the fleet: all disks at the standard tests, and one workload on many targets."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.analysis.fleet.overview import fleet_overview
from apps.analysis.registry import VIEWS
from apps.analysis.views.summary_pages import summary_page
from apps.inventory.presenters import lab_tabs


@require_safe
@login_required
def fleet(request: HttpRequest) -> HttpResponse:
    """Render the ranking of all targets of a workload."""
    return summary_page(request, VIEWS["fleet"], ("workload", "target"))


@require_safe
@login_required
def fleet_disks(request: HttpRequest) -> HttpResponse:
    """Render every measured disk at the standard tests, the worst first."""
    context = {"fleet": fleet_overview(), "tabs": lab_tabs()}
    return render(request, "analysis/fleet_disks.html", context)
