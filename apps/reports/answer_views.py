"""Fragments: a section of a report with its answer, for the report's page and for a home page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from .dashboards import tile_of
from .selectors import part_of, reports_visible


@require_safe
@login_required
def section_answer(request: HttpRequest, pk: int, place: int) -> HttpResponse:
    """A section of the report's page."""
    report = get_object_or_404(reports_visible(), pk=pk)
    section = get_object_or_404(report.sections, position=place)
    context = {"report": report, "part": part_of(section), "number": place + 1}
    return render(request, "reports/partials/section.html", context)


@require_safe
@login_required
def section_tile(request: HttpRequest, pk: int, place: int) -> HttpResponse:
    """The same section as a home page shows it."""
    report = get_object_or_404(reports_visible(), pk=pk)
    section = get_object_or_404(report.sections, position=place)
    return render(request, "reports/partials/tile.html", {"tile": tile_of(section)})
