"""Bars of a comparison: medians with every repeat. Pure: data in, figure dicts out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analysis.compare.stats import Spread, spread
from apps.analysis.compare.stats.samples import Values
from apps.common import charts
from apps.common.charts import ChartFigure, Scale
from apps.common.downsample import MOST


@dataclass(frozen=True)
class Bar:
    """Repeats of one workload at one level of the factor (one tuning, one host), in the metric's
    canonical unit.
    """

    workload: str
    level: str
    values: Values


def bars_with_intervals(bars: Sequence[Bar], *, title: str, label: str, unit: str) -> ChartFigure:
    """Medians by workload, a bar a level; every repeat as a dot, and the exact 95 % interval of
    the median.

    The interval is there from 6 repeats on. `label` and `unit` are the metric's (canonical unit).
    """
    scale = charts.scale_for(unit, [value for bar in bars for value in bar.values])
    levels = list(dict.fromkeys(bar.level for bar in bars))
    data = []
    for index, level in enumerate(levels):
        mine = [bar for bar in bars if bar.level == level]
        data += [_bar_trace(mine, level, index, scale), _dots(mine, level, index, scale)]
    shape = charts.layout(
        title,
        barmode="group",
        scattermode="group",
        scattergap=0.2,
        bargap=0.2,
        xaxis=charts.axis("", type="category"),
        yaxis=charts.axis(label, scale.unit, rangemode="tozero"),
    )
    return {"data": data, "layout": shape}


def _bar_trace(bars: list[Bar], level: str, index: int, scale: Scale) -> ChartFigure:
    spreads = [spread(bar.values) for bar in bars]
    up = [_arm(s, s.high) for s in spreads]
    down = [_arm(s, s.low) for s in spreads]
    return {
        "type": "bar",
        "name": level,
        "legendgroup": level,
        "offsetgroup": level,
        "x": [bar.workload for bar in bars],
        "y": scale.of([s.median for s in spreads]),
        "marker": {"color": charts.colour(index), "opacity": 0.35},
        "error_y": {
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


def _dots(bars: list[Bar], level: str, index: int, scale: Scale) -> ChartFigure:
    points = [(bar.workload, value) for bar in bars for value in scale.of(bar.values)]
    shown = charts.thin([point for point in points if point[1] is not None], MOST)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": level,
        "legendgroup": level,
        "offsetgroup": level,
        "showlegend": False,
        "x": [workload for workload, _ in shown],
        "y": [value for _, value in shown],
        "marker": {"color": charts.colour(index), "symbol": charts.symbol(index), "size": 6},
        "meta": {"shown": len(shown), "total": len(points)},
    }
