"""Page of one workload on many targets."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.analysis.registry import VIEWS
from apps.analysis.views.summary_pages import summary_page


@require_safe
@login_required
def fleet(request: HttpRequest) -> HttpResponse:
    """Render the ranking of all targets of a workload."""
    return summary_page(request, VIEWS["fleet"], ("workload", "target"))
