"""The page of facts side by side."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.analysis.pages import room_page
from apps.analysis.rooms import ROOMS
from apps.analysis.selection.parts import NAMING


@require_safe
@login_required
def facts(request: HttpRequest) -> HttpResponse:
    """Differences between runs, tests, hosts or moments."""
    return room_page(request, ROOMS["facts"], (*NAMING, "moment"))
