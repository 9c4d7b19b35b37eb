"""Page of overlaid tests over time."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.analysis.queries.selection import NAMING
from apps.analysis.registry import VIEWS
from apps.analysis.views.summary_pages import summary_page


@require_safe
@login_required
def timeseries(request: HttpRequest) -> HttpResponse:
    """Render series of several tests."""
    return summary_page(request, VIEWS["timeseries"], NAMING)
