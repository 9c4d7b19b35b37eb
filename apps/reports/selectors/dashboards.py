"""Reports on the home page: of each answer its first sentences and a small chart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.report.content import small
from apps.analysis.report.turns import Turns
from apps.analysis.result import AnalysisResult, Chart, Finding
from apps.reports.models import ReportSection, SavedReport
from apps.reports.selectors.reports import dashboards_of, heading_of, part_of

SENTENCES = 2
"""Of a headline that does not count by itself what it leaves out."""
NAMES = 6
"""Names in the legend of a tile; with more of them it would take the room of the lines, which say
their names when they are pointed at.
"""


@dataclass(frozen=True)
class Tile:
    """A section on the home page. `name` is no other's on the page; `quiet`: why there is nothing
    to show; `text` is Markdown. Where there is a `url`, it gives the tile with its answer, and is
    asked when the request of `after` has ended.
    """

    name: str
    title: str
    text: str
    findings: tuple[Finding, ...] = ()
    chart: Chart | None = None
    quiet: str = ""
    url: str = ""
    after: str = ""


def dashboards_framed(user: User) -> list[tuple[SavedReport, list[Tile]]]:
    """The reports on this user's home page with their tiles; neither asks a question nor reads an
    answer that is kept, so the page costs as little as one without them.
    """
    turns = Turns()
    return [(report, list(_tiles(report, turns))) for report in dashboards_of(user)]


def tile_of(section: ReportSection) -> Tile:
    """The section with its answer, small."""
    part = part_of(section)
    answer = part.result
    return Tile(
        name=_name(section),
        title=part.title,
        text=part.text,
        findings=_findings(answer) if answer else (),
        chart=_chart(answer) if answer else None,
        quiet=part.refused or (answer.empty if answer else ""),
    )


def _tiles(report: SavedReport, turns: Turns) -> Iterator[Tile]:
    for section in report.sections.all():
        name, heading = _name(section), heading_of(section)
        if section.view:
            url = reverse("section_tile", args=[report.pk, section.position])
            yield Tile(name, heading, section.text, url=url, after=turns.after(name))
        else:
            yield Tile(name, heading, section.text)


def _name(section: ReportSection) -> str:
    return f"board-{section.report_id}-{section.position}"


def _findings(answer: AnalysisResult) -> tuple[Finding, ...]:
    return answer.headline if answer.view == "compare" else answer.headline[:SENTENCES]


def _chart(answer: AnalysisResult) -> Chart | None:
    flat = (chart for chart in answer.charts if {"xaxis", "yaxis"} <= set(chart.figure["layout"]))
    return next((_without_many_names(small(chart)) for chart in flat), None)


def _without_many_names(chart: Chart) -> Chart:
    figure = chart.figure
    named = {one.get("name") for one in figure["data"] if one.get("showlegend", True)} - {None}
    if len(named) <= NAMES:
        return chart
    layout = {**figure["layout"], "showlegend": False}
    return replace(chart, figure={"data": figure["data"], "layout": layout})
