"""Timeline of a running run: fragment of its page, and the chart's data."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.analysis.run_timeline.figures import timeline_chart
from apps.analysis.run_timeline.selectors import run_timeline as read_timeline
from apps.results.models import ResultSummary
from apps.runs.selectors.runs import runs_visible


@require_safe
@login_required
def run_timeline(request: HttpRequest, pk: int) -> HttpResponse:
    """Render the timeline. Without results the fragment polls itself; then the chart polls."""
    run = get_object_or_404(runs_visible(), pk=pk)
    has_results = ResultSummary.objects.filter(run=run, is_comparable=True).exists()
    return render(request, "analysis/run_timeline.html", {"run": run, "there": has_results})


@require_safe
@login_required
def run_timeline_figure(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the chart's data."""
    run = get_object_or_404(runs_visible(), pk=pk)
    text = {
        "time": _("Time since the run's start"),
        "change": _("Change against the test's median"),
        "now": _("runs now"),
    }
    return JsonResponse(timeline_chart(read_timeline(run, timezone.now()), text))
