"""Rows of charts below the names of their workloads: positions, height and axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, TypeVar

from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure

R = TypeVar("R")
LINE_PIXELS, FRAME_PIXELS, MIN_LINES = 24, 110, 3
Headings = list[tuple[str, int]]


@dataclass(frozen=True)
class HeadedLine(Generic[R]):
    """Row with its position from the top; workload names have positions of their own."""

    row: R
    position: int


def row_positions(
    rows: Sequence[R], name: Callable[[R], str]
) -> tuple[list[HeadedLine[R]], Headings]:
    """Return the rows and the headings of adjacent rows with equal names, with positions."""
    lines: list[HeadedLine[R]] = []
    headings: Headings = []
    for text, mine in groupby(rows, key=name):
        headings.append((text, len(lines) + len(headings)))
        start = len(lines) + len(headings)
        lines += [HeadedLine(row, start + n) for n, row in enumerate(mine)]
    return lines, headings


def height(lines: Sequence[HeadedLine[R]], headings: Headings) -> int:
    """Return the pixels with axis and legend."""
    return FRAME_PIXELS + rows_height(lines, headings)


def rows_height(lines: Sequence[HeadedLine[R]], headings: Headings) -> int:
    """Return the pixels of the rows."""
    return LINE_PIXELS * max(MIN_LINES, len(lines) + len(headings))


def vertical(positions: int, labels: Sequence[tuple[int, str]] = ()) -> ChartFigure:
    """Return an axis that counts positions from the top, with `labels` as ticks."""
    return charts.axis(
        "",
        range=[positions - 0.5, -0.5],
        tickvals=[position for position, _ in labels],
        ticktext=[text for _, text in labels],
        showgrid=False,
        zeroline=False,
    )


def heading(text: str, position: int) -> ChartFigure:
    """Return the annotation of a workload's name, at the left end of the plot."""
    return {
        "text": f"<b>{text}</b>",
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "y": position,
        "showarrow": False,
        "align": "left",
    }
