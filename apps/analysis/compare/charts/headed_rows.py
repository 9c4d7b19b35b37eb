"""Charts whose rows stand below their workloads' names: where each row and each name is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, TypeVar

from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure

R = TypeVar("R")
LINE_PIXELS, FRAME_PIXELS, FEWEST = 24, 110, 3
Headings = list[tuple[str, int]]


@dataclass(frozen=True)
class HeadedLine(Generic[R]):
    """A row and its place, counted from the top; names of workloads take places of their own."""

    row: R
    place: int


def row_positions(
    rows: Sequence[R], name: Callable[[R], str]
) -> tuple[list[HeadedLine[R]], Headings]:
    """The rows below the names that those beside each other share, and the names' places."""
    lines: list[HeadedLine[R]] = []
    headings: Headings = []
    for text, mine in groupby(rows, key=name):
        headings.append((text, len(lines) + len(headings)))
        start = len(lines) + len(headings)
        lines += [HeadedLine(row, start + n) for n, row in enumerate(mine)]
    return lines, headings


def height(lines: Sequence[HeadedLine[R]], headings: Headings) -> int:
    """Pixels that they take with axis and legend."""
    return FRAME_PIXELS + rows_height(lines, headings)


def rows_height(lines: Sequence[HeadedLine[R]], headings: Headings) -> int:
    """Pixels that they take alone."""
    return LINE_PIXELS * max(FEWEST, len(lines) + len(headings))


def vertical(places: int, labels: Sequence[tuple[int, str]] = ()) -> ChartFigure:
    """The axis that counts places from the top; `labels` beside those that have one."""
    return charts.axis(
        "",
        range=[places - 0.5, -0.5],
        tickvals=[place for place, _ in labels],
        ticktext=[text for _, text in labels],
        showgrid=False,
        zeroline=False,
    )


def heading(text: str, place: int) -> ChartFigure:
    """A workload's name at its place, at the left end of the plot."""
    return {
        "text": f"<b>{text}</b>",
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "y": place,
        "showarrow": False,
        "align": "left",
    }
