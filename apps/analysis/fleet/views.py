"""The page of one workload on many targets."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.analysis.pages import room_page
from apps.analysis.rooms import ROOMS


@require_safe
@login_required
def fleet(request: HttpRequest) -> HttpResponse:
    """The ranking of all that a workload was measured on."""
    return room_page(request, ROOMS["fleet"], ("workload", "disk"))
