"""Fragments with the latest verdicts, for the pages of tunings and disks."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from apps.analysis.verdicts.latest import (
    LatestVerdicts,
    latest_verdicts_of_target,
    latest_verdicts_of_tuning,
)
from apps.inventory.models import Disk
from apps.tuning.selectors import tunings_visible


@require_safe
@login_required
def tuning_verdicts(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the latest verdicts on a tuning profile."""
    tuning = get_object_or_404(tunings_visible(), pk=pk)
    return _fragment(request, latest_verdicts_of_tuning(tuning))


@require_safe
@login_required
def disk_verdicts(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the latest verdicts on a disk."""
    disk = get_object_or_404(Disk, pk=pk)
    return _fragment(request, latest_verdicts_of_target(disk))


def _fragment(request: HttpRequest, latest: LatestVerdicts) -> HttpResponse:
    context = {"verdicts": latest.verdicts, "left_out": latest.left_out}
    return render(request, "analysis/partials/latest_verdicts.html", context)
