"""Bars of a comparison: medians with every repeat. Pure: data in, figure dicts out."""

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
    """Repeats of one workload at one level of the factor (one tuning, one host), in the metric's
    canonical unit.
    """

    workload: str
    level: str
    values: Values


@dataclass(frozen=True)
class BarPanel:
    """Bars of one metric, whose axis has its label; `unit` is the metric's canonical one."""

    label: str
    unit: str
    bars: Sequence[Bar]


@dataclass(frozen=True)
class _Drawn:
    """A panel with its rows placed: the number of its axes, and the part of the plot it takes."""

    panel: BarPanel
    lines: list[HeadedLine[Bar]]
    headings: Headings
    number: int
    domain: tuple[float, float]
    scale: Scale

    @property
    def axes(self) -> ChartFigure:
        """The trace's axes, by Plotly's names."""
        return {"xaxis": f"x{self.number or ''}", "yaxis": f"y{self.number or ''}"}


def bars_with_intervals(panels: Sequence[BarPanel], *, title: str) -> ChartFigure:
    """Medians below their workload's name, a bar a level; every repeat as a dot, and the exact
    95 % interval of the median. Bars lie, so that names of any length stay upright. What is told
    in another metric stands in a panel of its own, one below the other.

    The interval is there from 6 repeats on.
    """
    drawn = _drawn(panels)
    levels = list(dict.fromkeys(bar.level for panel in panels for bar in panel.bars))
    data = []
    for index, level in enumerate(levels):
        mine = [(one, [line for line in one.lines if line.row.level == level]) for one in drawn]
        first = True
        for one, lines in mine:
            if lines:
                bar = _bar_trace(lines, level, index, one.scale)
                data += [{**bar, **one.axes, "showlegend": first}]
                data += [{**_dots(lines, level, index, one.scale), **one.axes}]
                first = False
    shape = charts.layout(
        title,
        height=bars_height(panels),
        barmode="overlay",
        hovermode="closest",
        annotations=[
            {**heading(text, place), "yref": one.axes["yaxis"]}
            for one in drawn
            for text, place in one.headings
        ],
    )
    for one in drawn:
        shape |= _axes(one)
    return {"data": data, "layout": shape}


def _axes(one: _Drawn) -> ChartFigure:
    across, upright = one.axes["xaxis"], one.axes["yaxis"]
    unit = one.scale.unit
    rows = vertical(len(one.lines) + len(one.headings))
    return {
        across.replace("x", "xaxis"): charts.axis(
            one.panel.label, unit, rangemode="tozero", anchor=upright
        ),
        upright.replace("y", "yaxis"): {**rows, "anchor": across, "domain": list(one.domain)},
    }


def _drawn(panels: Sequence[BarPanel]) -> list[_Drawn]:
    """The panels from the top, each as high as its rows."""
    rows = [row_positions(panel.bars, lambda bar: bar.workload) for panel in panels]
    pixels = [rows_height(*mine) for mine in rows]
    whole = sum(pixels) + BETWEEN_PIXELS * (len(panels) - 1)
    found, top = [], whole
    for index, (panel, (lines, headings), high) in enumerate(
        zip(panels, rows, pixels, strict=True)
    ):
        domain = (max(0.0, round((top - high) / whole, 6)), round(top / whole, 6))
        number = index + 1 if index else 0
        scale = charts.scale_for(panel.unit, [v for bar in panel.bars for v in bar.values])
        found.append(_Drawn(panel, lines, headings, number, domain, scale))
        top -= high + BETWEEN_PIXELS
    return found


def bars_height(panels: Sequence[BarPanel]) -> int:
    """Pixels that these panels take."""
    rows = [rows_height(*row_positions(panel.bars, lambda bar: bar.workload)) for panel in panels]
    return FRAME_PIXELS + sum(rows) + BETWEEN_PIXELS * max(0, len(panels) - 1)


def _bar_trace(lines: list[HeadedLine[Bar]], level: str, index: int, scale: Scale) -> ChartFigure:
    middles = [median_and_interval(line.row.values) for line in lines]
    up = [_arm(median, high) for median, _low, high in middles]
    down = [_arm(median, low) for median, low, _high in middles]
    return {
        "type": "bar",
        "orientation": "h",
        "name": level,
        "legendgroup": level,
        "y": [line.place for line in lines],
        "x": scale.of([median for median, _low, _high in middles]),
        "text": [line.row.workload for line in lines],
        "textposition": "none",
        "width": 0.8,
        "marker": {"color": charts.colour(index), "opacity": 0.35},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "color": charts.colour(index),
            "array": scale.of(up),
            "arrayminus": scale.of(down),
        },
    }


def _arm(median: float | None, end: float | None) -> float | None:
    return None if end is None or median is None else abs(end - median)


def _dots(lines: list[HeadedLine[Bar]], level: str, index: int, scale: Scale) -> ChartFigure:
    points = [(line, value) for line in lines for value in scale.of(line.row.values)]
    shown = charts.pick_evenly([point for point in points if point[1] is not None], MAX_POINTS)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": level,
        "legendgroup": level,
        "showlegend": False,
        "x": [value for _, value in shown],
        "y": [line.place for line, _ in shown],
        "text": [line.row.workload for line, _ in shown],
        "marker": {"color": charts.colour(index), "symbol": charts.symbol(index), "size": 6},
        "meta": {"shown": len(shown), "total": len(points)},
    }
