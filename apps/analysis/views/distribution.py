"""Page of merged latency distributions."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.analysis.queries.selection import NAMING
from apps.analysis.registry import VIEWS
from apps.analysis.views.summary_pages import summary_page


@require_safe
@login_required
def distribution(request: HttpRequest) -> HttpResponse:
    """Render percentiles and histograms of any set of results."""
    return summary_page(request, VIEWS["distribution"], NAMING)
