"""Reports as their pages come: texts and titles at once, and each answer that is still to be worked
out as a fragment of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from apps.analysis.report.content import ReportPart, reading_guide, without_headline
from apps.analysis.report.turns import TOP, Turns
from apps.analysis.result import BasisItem, Finding
from apps.reports.models import ReportSection, SavedReport
from apps.reports.selectors.reports import (
    conditions_of_sections,
    facts_of,
    first_answered,
    heading_of,
    part_of,
)


@dataclass(frozen=True)
class DeferredSection:
    """A section on its report's page; `name` is no other element's. Where there is a `url`, it
    gives the section with its answer, and is asked when the request of `after` has ended.
    """

    name: str
    number: int
    part: ReportPart
    url: str = ""
    after: str = ""


@dataclass(frozen=True)
class ReportPage:
    """A report's page. `asks`: whether it holds a question; `reading`: how to read answers;
    `headline`: of a frozen report's first answer, else `top_url` gives it to the element `top`.
    """

    facts: tuple[tuple[str, str], ...]
    sections: tuple[DeferredSection, ...]
    asks: bool
    reading: tuple[str, ...]
    conditions: tuple[BasisItem, ...] = ()
    headline: tuple[Finding, ...] = ()
    top: str = TOP
    top_url: str = ""


def report_page(report: SavedReport) -> ReportPage:
    """The page of a report; asks no question."""
    sections = list(report.sections.all())
    asks = any(section.view for section in sections)
    facts, how = tuple(facts_of(report)), reading_guide() if asks else ()
    if report.frozen_at:
        first = first_answered(sections)
        position, headline = first or (None, ())
        shown = tuple(_framed(sections, Turns(), position))
        return ReportPage(facts, shown, asks, how, conditions_of_sections(sections), headline)
    turns = Turns()
    if asks:
        turns.after(TOP)
    shown = tuple(_framed(sections, turns, None))
    return ReportPage(facts, shown, asks, how, top_url=reverse("report_top", args=[report.pk]))


def _framed(
    sections: list[ReportSection], turns: Turns, first: int | None
) -> Iterator[DeferredSection]:
    """The sections; that at position `first` stands below its headline."""
    for section in sections:
        number = section.position + 1
        name = f"section-{number}"
        if section.view and section.answer is None:
            part = ReportPart(heading_of(section), section.text)
            url = reverse("section_answer", args=[section.report_id, section.position])
            yield DeferredSection(name, number, part, url, turns.after(name))
        else:
            part = part_of(section)
            shown = without_headline(part) if section.position == first else part
            yield DeferredSection(name, number, shown)
