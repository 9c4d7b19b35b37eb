"""The page of several tests over each other."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.analysis.pages import room_page
from apps.analysis.rooms import ROOMS
from apps.analysis.selection.parts import NAMING


@require_safe
@login_required
def over_time(request: HttpRequest) -> HttpResponse:
    """Figures over time of several tests."""
    return room_page(request, ROOMS["time"], NAMING)
