"""Fragments: a section of a report with its answer, for the report's page and for a home page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from apps.analysis.report.content import without_headline
from apps.reports.selectors.dashboards import tile_of
from apps.reports.selectors.reports import (
    conditions_of_sections,
    first_answered,
    part_of,
    reports_visible,
)


@require_safe
@login_required
def section_answer(request: HttpRequest, pk: int, place: int) -> HttpResponse:
    """A section of the report's page."""
    report = get_object_or_404(reports_visible(), pk=pk)
    sections = [section for section in report.sections.all() if section.position <= place]
    if not sections or sections[-1].position != place:
        raise Http404(place)
    part, first = part_of(sections[-1]), first_answered(sections)
    if first is not None and first[0] == place:
        part = without_headline(part)
    context = {"report": report, "part": part, "number": place + 1}
    return render(request, "reports/partials/section.html", context)


@require_safe
@login_required
def report_top(request: HttpRequest, pk: int) -> HttpResponse:
    """The headline and the conditions at the top of the report's page."""
    sections = list(get_object_or_404(reports_visible(), pk=pk).sections.all())
    first = first_answered(sections)
    context = {
        "headline": first[1] if first else (),
        "conditions": conditions_of_sections(sections),
    }
    return render(request, "analysis/report/top.html", context)


@require_safe
@login_required
def section_tile(request: HttpRequest, pk: int, place: int) -> HttpResponse:
    """The same section as a home page shows it."""
    report = get_object_or_404(reports_visible(), pk=pk)
    section = get_object_or_404(report.sections, position=place)
    return render(request, "reports/partials/tile.html", {"tile": tile_of(section)})
