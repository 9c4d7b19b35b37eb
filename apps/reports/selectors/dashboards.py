"""Dashboards on the home page: sections as tiles of findings and a small chart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.report.content import small
from apps.analysis.report.load_order import LoadOrder
from apps.analysis.result import AnalysisResult, Chart, Finding
from apps.reports.models import ReportSection, SavedReport
from apps.reports.selectors.reports import section_heading, section_part, user_dashboards

MAX_FINDINGS = 2
"""Limit of findings of a tile. Not applied to comparisons: their headline states its omissions."""
MAX_LEGEND_NAMES = 6
"""Limit of names in a tile's legend. More names would shrink the chart; hovering shows them."""


@dataclass(frozen=True)
class Tile:
    """Section on the home page.

    `name` is a unique element id; `text` is Markdown; `empty_text` is the reason for an empty tile.
    If `url` is set, the page requests the tile with its result there, after the request of element
    `after` has ended.
    """

    name: str
    title: str
    text: str
    findings: tuple[Finding, ...] = ()
    chart: Chart | None = None
    empty_text: str = ""
    url: str = ""
    after: str = ""


def deferred_dashboards(user: User) -> list[tuple[SavedReport, list[Tile]]]:
    """Return the dashboards of a user's home page with their tiles, without results.

    Reads no frozen result and runs no analysis, so that the home page stays fast.
    """
    load_order = LoadOrder()
    return [(report, list(_tiles(report, load_order))) for report in user_dashboards(user)]


def tile_of(section: ReportSection) -> Tile:
    """Return the tile of a section with its result."""
    part = section_part(section)
    result = part.result
    return Tile(
        name=_name(section),
        title=part.title,
        text=part.text,
        findings=_findings(result) if result else (),
        chart=_chart(result) if result else None,
        empty_text=part.error or (result.empty if result else ""),
    )


def _tiles(report: SavedReport, load_order: LoadOrder) -> Iterator[Tile]:
    for section in report.sections.all():
        name, heading = _name(section), section_heading(section)
        if section.view:
            url = reverse("section_tile", args=[report.pk, section.position])
            yield Tile(name, heading, section.text, url=url, after=load_order.after(name))
        else:
            yield Tile(name, heading, section.text)


def _name(section: ReportSection) -> str:
    return f"board-{section.report_id}-{section.position}"


def _findings(result: AnalysisResult) -> tuple[Finding, ...]:
    return result.headline if result.view == "compare" else result.headline[:MAX_FINDINGS]


def _chart(result: AnalysisResult) -> Chart | None:
    flat_charts = (
        chart for chart in result.charts if {"xaxis", "yaxis"} <= set(chart.figure["layout"])
    )
    return next((_limit_legend(small(chart)) for chart in flat_charts), None)


def _limit_legend(chart: Chart) -> Chart:
    figure = chart.figure
    named = {one.get("name") for one in figure["data"] if one.get("showlegend", True)} - {None}
    if len(named) <= MAX_LEGEND_NAMES:
        return chart
    layout = {**figure["layout"], "showlegend": False}
    return replace(chart, figure={"data": figure["data"], "layout": layout})
