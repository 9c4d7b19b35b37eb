"""Page of the bottleneck view."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.analysis.queries.selection import NAMING
from apps.analysis.registry import VIEWS
from apps.analysis.views.summary_pages import summary_page


@require_safe
@login_required
def bottleneck(request: HttpRequest) -> HttpResponse:
    """Render the shares of disk and network limits that groups and pools reach."""
    return summary_page(request, VIEWS["bottleneck"], NAMING)
