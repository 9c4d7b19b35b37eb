"""Report pages: titles and texts first, live results as fragments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from apps.analysis.report.content import ReportPart, reading_guide, without_headline
from apps.analysis.report.load_order import TOP, LoadOrder
from apps.analysis.result import BasisItem, Finding
from apps.reports.models import ReportSection, SavedReport
from apps.reports.selectors.reports import (
    conditions_of_sections,
    first_headline,
    report_facts,
    section_heading,
    section_part,
)


@dataclass(frozen=True)
class DeferredSection:
    """Section of a report page.

    `name` is a unique element id. If `url` is set, the page requests the section with its result
    there, after the request of element `after` has ended.
    """

    name: str
    number: int
    part: ReportPart
    url: str = ""
    after: str = ""


@dataclass(frozen=True)
class ReportPage:
    """Data of a report page.

    `has_views` is True if a section has an analysis view. `headline` and `conditions` are set for
    frozen reports; otherwise `top_url` returns them for element `top`.
    """

    facts: tuple[tuple[str, str], ...]
    sections: tuple[DeferredSection, ...]
    has_views: bool
    guide: tuple[str, ...]
    conditions: tuple[BasisItem, ...] = ()
    headline: tuple[Finding, ...] = ()
    top: str = TOP
    top_url: str = ""


def report_page(report: SavedReport) -> ReportPage:
    """Return the data of a report page, without running an analysis."""
    rows = list(report.sections.all())
    has_views = any(section.view for section in rows)
    facts, guide = tuple(report_facts(report)), reading_guide() if has_views else ()
    if report.frozen_at:
        first = first_headline(rows)
        position, headline = first or (None, ())
        sections = tuple(_deferred_sections(rows, LoadOrder(), position))
        return ReportPage(facts, sections, has_views, guide, conditions_of_sections(rows), headline)
    load_order = LoadOrder()
    if has_views:
        load_order.after(TOP)
    sections = tuple(_deferred_sections(rows, load_order, None))
    return ReportPage(
        facts, sections, has_views, guide, top_url=reverse("report_top", args=[report.pk])
    )


def _deferred_sections(
    sections: list[ReportSection], load_order: LoadOrder, first: int | None
) -> Iterator[DeferredSection]:
    """Yield the sections; the one at position `first` without its headline."""
    for section in sections:
        number = section.position + 1
        name = f"section-{number}"
        if section.view and section.frozen_result is None:
            part = ReportPart(section_heading(section), section.text)
            url = reverse("section_result", args=[section.report_id, section.position])
            yield DeferredSection(name, number, part, url, load_order.after(name))
        else:
            part = section_part(section)
            part = without_headline(part) if section.position == first else part
            yield DeferredSection(name, number, part)
