"""Bar chart of a comparison: medians with every repeat. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analysis.compare.charts.headed_rows import (
    FRAME_PIXELS,
    HeadedLine,
    Headings,
    heading,
    row_positions,
    rows_height,
    vertical,
)
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure, Scale
from apps.common.domain.charts.downsample import MAX_POINTS
from apps.stats.samples import Values
from apps.stats.spread import median_and_interval

BETWEEN_PIXELS = 64  # the axis of a panel, with its title, above the next


@dataclass(frozen=True)
class Bar:
    """Repeats of one workload at one level, in the metric's canonical unit."""

    workload: str
    level: str
    values: Values


@dataclass(frozen=True)
class BarPanel:
    """Bars of one metric in its canonical unit."""

    label: str
    unit: str
    bars: Sequence[Bar]


@dataclass(frozen=True)
class _PlacedPanel:
    """Panel with row positions, axis number and its domain of the plot."""

    panel: BarPanel
    lines: list[HeadedLine[Bar]]
    headings: Headings
    number: int
    domain: tuple[float, float]
    scale: Scale

    @property
    def axes(self) -> ChartFigure:
        """Return the trace's axes by Plotly's names."""
        return {"xaxis": f"x{self.number or ''}", "yaxis": f"y{self.number or ''}"}


def bars_with_intervals(panels: Sequence[BarPanel]) -> ChartFigure:
    """Return horizontal bars of medians, one per level, below their workload's name.

    Every repeat is a dot; the exact 95 % interval of the median is shown from 6 repeats on. Each
    metric has its own panel.
    """
    placed = _place_panels(panels)
    levels = list(dict.fromkeys(bar.level for panel in panels for bar in panel.bars))
    data = []
    for index, level in enumerate(levels):
        mine = [(one, [line for line in one.lines if line.row.level == level]) for one in placed]
        first = True
        for one, lines in mine:
            if lines:
                bar = _bar_trace(lines, level, index, one.scale)
                data += [{**bar, **one.axes, "showlegend": first}]
                data += [{**_dots(lines, level, index, one.scale), **one.axes}]
                first = False
    shape = charts.layout(
        "",
        height=bars_height(panels),
        barmode="overlay",
        hovermode="closest",
        annotations=[
            {**heading(text, position), "yref": one.axes["yaxis"]}
            for one in placed
            for text, position in one.headings
        ],
    )
    for one in placed:
        shape |= _axes(one)
    return {"data": data, "layout": shape}


def _axes(one: _PlacedPanel) -> ChartFigure:
    across, upright = one.axes["xaxis"], one.axes["yaxis"]
    unit = one.scale.unit
    rows = vertical(len(one.lines) + len(one.headings))
    return {
        across.replace("x", "xaxis"): charts.axis(
            one.panel.label, unit, rangemode="tozero", anchor=upright
        ),
        upright.replace("y", "yaxis"): {**rows, "anchor": across, "domain": list(one.domain)},
    }


def _place_panels(panels: Sequence[BarPanel]) -> list[_PlacedPanel]:
    """Return the panels from the top, each with a height for its rows."""
    rows = [row_positions(panel.bars, lambda bar: bar.workload) for panel in panels]
    pixels = [rows_height(*mine) for mine in rows]
    whole = sum(pixels) + BETWEEN_PIXELS * (len(panels) - 1)
    result, top = [], whole
    for index, (panel, (lines, headings), high) in enumerate(
        zip(panels, rows, pixels, strict=True)
    ):
        domain = (max(0.0, round((top - high) / whole, 6)), round(top / whole, 6))
        number = index + 1 if index else 0
        scale = charts.scale_for(panel.unit, [v for bar in panel.bars for v in bar.values])
        result.append(_PlacedPanel(panel, lines, headings, number, domain, scale))
        top -= high + BETWEEN_PIXELS
    return result


def bars_height(panels: Sequence[BarPanel]) -> int:
    """Return the pixels of these panels."""
    rows = [rows_height(*row_positions(panel.bars, lambda bar: bar.workload)) for panel in panels]
    return FRAME_PIXELS + sum(rows) + BETWEEN_PIXELS * max(0, len(panels) - 1)


def _bar_trace(lines: list[HeadedLine[Bar]], level: str, index: int, scale: Scale) -> ChartFigure:
    medians = [median_and_interval(line.row.values) for line in lines]
    up = [_error_length(median, high) for median, _low, high in medians]
    down = [_error_length(median, low) for median, low, _high in medians]
    return {
        "type": "bar",
        "orientation": "h",
        "name": level,
        "legendgroup": level,
        "y": [line.position for line in lines],
        "x": scale.of([median for median, _low, _high in medians]),
        "text": [line.row.workload for line in lines],
        "textposition": "none",
        "width": 0.8,
        "marker": {"color": charts.colour(index), "opacity": 0.6},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "color": charts.colour(index),
            "array": scale.of(up),
            "arrayminus": scale.of(down),
        },
    }


def _error_length(median: float | None, end: float | None) -> float | None:
    return None if end is None or median is None else abs(end - median)


def _dots(lines: list[HeadedLine[Bar]], level: str, index: int, scale: Scale) -> ChartFigure:
    points = [(line, value) for line in lines for value in scale.of(line.row.values)]
    points_shown = charts.pick_evenly(
        [point for point in points if point[1] is not None], MAX_POINTS
    )
    return {
        "type": "scatter",
        "mode": "markers",
        "name": level,
        "legendgroup": level,
        "showlegend": False,
        "x": [value for _, value in points_shown],
        "y": [line.position for line, _ in points_shown],
        "text": [line.row.workload for line, _ in points_shown],
        "marker": {"color": charts.colour(index), "symbol": charts.symbol(index), "size": 6},
        "meta": {"shown": len(points_shown), "total": len(points)},
    }
