"""Reports as their pages come: texts and titles at once, and each answer that is still to be worked
out as a fragment of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from apps.analysis.report.content import ReportPart, reading
from apps.analysis.report.turns import Turns

from .models import ReportSection, SavedReport
from .selectors import facts_of, heading_of, part_of


@dataclass(frozen=True)
class FramedSection:
    """A section on its report's page; `name` is no other element's. Where there is a `url`, it
    gives the section with its answer, and is asked when the request of `after` has ended.
    """

    name: str
    number: int
    part: ReportPart
    url: str = ""
    after: str = ""


@dataclass(frozen=True)
class Frame:
    """A report's page. `asks`: whether it holds a question; `reading`: how to read answers."""

    facts: tuple[tuple[str, str], ...]
    sections: tuple[FramedSection, ...]
    asks: bool
    reading: tuple[str, ...]


def framed(report: SavedReport) -> Frame:
    """The page of a report; asks no question."""
    sections = list(report.sections.all())
    asks = any(section.view for section in sections)
    shown = tuple(_framed(sections, Turns()))
    return Frame(tuple(facts_of(report)), shown, asks, reading() if asks else ())


def _framed(sections: list[ReportSection], turns: Turns) -> Iterator[FramedSection]:
    for section in sections:
        number = section.position + 1
        name = f"section-{number}"
        if section.view and section.answer is None:
            part = ReportPart(heading_of(section), section.text)
            url = reverse("section_answer", args=[section.report_id, section.position])
            yield FramedSection(name, number, part, url, turns.after(name))
        else:
            yield FramedSection(name, number, part_of(section))
