"""Reports on the home page: of each answer its first sentences and a small chart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from apps.analysis.answers import Answer, Chart, Said
from apps.analysis.report.content import ReportPart, small

from .models import SavedReport
from .selectors import rendered

SENTENCES = 2


@dataclass(frozen=True)
class Tile:
    """A section on the home page. `name` is no other's on the page; `quiet`: why there is nothing
    to show; `text` is Markdown.
    """

    name: str
    title: str
    text: str
    said: tuple[Said, ...]
    chart: Chart | None
    quiet: str


def tiles_of(report: SavedReport) -> Iterator[Tile]:
    """The report's sections, small."""
    for number, part in enumerate(rendered(report).parts):
        yield _tile(part, f"board-{report.pk}-{number}")


def _tile(part: ReportPart, name: str) -> Tile:
    answer = part.answer
    return Tile(
        name=name,
        title=part.title,
        text=part.text,
        said=answer.headline[:SENTENCES] if answer else (),
        chart=_chart(answer) if answer else None,
        quiet=part.refused or (answer.empty if answer else ""),
    )


def _chart(answer: Answer) -> Chart | None:
    flat = (chart for chart in answer.charts if {"xaxis", "yaxis"} <= set(chart.figure["layout"]))
    return next((small(chart) for chart in flat), None)
