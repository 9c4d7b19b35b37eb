"""The page of ceilings."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.analysis.pages import room_page
from apps.analysis.rooms import ROOMS
from apps.analysis.selection.parts import NAMING


@require_safe
@login_required
def ceiling(request: HttpRequest) -> HttpResponse:
    """Shares of disks and network that groups and pools reach."""
    return room_page(request, ROOMS["ceiling"], NAMING)
