"""Fragments of report pages and of the home page: sections with their results."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from apps.analysis.report.content import without_headline
from apps.reports.selectors.dashboards import tile_of
from apps.reports.selectors.reports import (
    conditions_of_sections,
    first_headline,
    reports_visible,
    section_part,
)


@require_safe
@login_required
def section_result(request: HttpRequest, pk: int, position: int) -> HttpResponse:
    """Render a section of the report page."""
    report = get_object_or_404(reports_visible(), pk=pk)
    sections = [section for section in report.sections.all() if section.position <= position]
    if not sections or sections[-1].position != position:
        raise Http404(position)
    part, first = section_part(sections[-1]), first_headline(sections)
    if first is not None and first[0] == position:
        part = without_headline(part)
    context = {"report": report, "part": part, "number": position + 1}
    return render(request, "reports/partials/section.html", context)


@require_safe
@login_required
def report_top(request: HttpRequest, pk: int) -> HttpResponse:
    """Render headline and conditions of the report page."""
    sections = list(get_object_or_404(reports_visible(), pk=pk).sections.all())
    first = first_headline(sections)
    context = {
        "headline": first[1] if first else (),
        "conditions": conditions_of_sections(sections),
    }
    return render(request, "analysis/report/top.html", context)


@require_safe
@login_required
def section_tile(request: HttpRequest, pk: int, position: int) -> HttpResponse:
    """Render a section as a tile of the home page."""
    report = get_object_or_404(reports_visible(), pk=pk)
    section = get_object_or_404(report.sections, position=position)
    return render(request, "reports/partials/tile.html", {"tile": tile_of(section)})
