"""Bars of a comparison: medians with every repeat. Pure: data in, figure dicts out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analysis.compare.charts.headed_rows import HeadedLine, heading, height, placed, vertical
from apps.analysis.compare.stats import Spread, spread
from apps.analysis.compare.stats.samples import Values
from apps.common import charts
from apps.common.charts import ChartFigure, Scale
from apps.common.charts.downsample import MOST


@dataclass(frozen=True)
class Bar:
    """Repeats of one workload at one level of the factor (one tuning, one host), in the metric's
    canonical unit.
    """

    workload: str
    level: str
    values: Values


def bars_with_intervals(bars: Sequence[Bar], *, title: str, label: str, unit: str) -> ChartFigure:
    """Medians below their workload's name, a bar a level; every repeat as a dot, and the exact
    95 % interval of the median. Bars lie, so that names of any length stay upright.

    The interval is there from 6 repeats on. `label` and `unit` are the metric's (canonical unit).
    """
    scale = charts.scale_for(unit, [value for bar in bars for value in bar.values])
    lines, headings = placed(bars, lambda bar: bar.workload)
    levels = list(dict.fromkeys(bar.level for bar in bars))
    data = []
    for index, level in enumerate(levels):
        mine = [line for line in lines if line.row.level == level]
        data += [_bar_trace(mine, level, index, scale), _dots(mine, level, index, scale)]
    shape = charts.layout(
        title,
        height=bars_height(bars),
        barmode="overlay",
        hovermode="closest",
        xaxis=charts.axis(label, scale.unit, rangemode="tozero"),
        yaxis=vertical(len(lines) + len(headings)),
        annotations=[heading(text, place) for text, place in headings],
    )
    return {"data": data, "layout": shape}


def bars_height(bars: Sequence[Bar]) -> int:
    """Pixels that these bars take."""
    return height(*placed(bars, lambda bar: bar.workload))


def _bar_trace(lines: list[HeadedLine[Bar]], level: str, index: int, scale: Scale) -> ChartFigure:
    spreads = [spread(line.row.values) for line in lines]
    up = [_arm(s, s.high) for s in spreads]
    down = [_arm(s, s.low) for s in spreads]
    return {
        "type": "bar",
        "orientation": "h",
        "name": level,
        "legendgroup": level,
        "y": [line.place for line in lines],
        "x": scale.of([s.median for s in spreads]),
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


def _arm(figures: Spread, end: float | None) -> float | None:
    if end is None or figures.median is None:
        return None
    return abs(end - figures.median)


def _dots(lines: list[HeadedLine[Bar]], level: str, index: int, scale: Scale) -> ChartFigure:
    points = [(line, value) for line in lines for value in scale.of(line.row.values)]
    shown = charts.thin([point for point in points if point[1] is not None], MOST)
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
