"""Grid as a heat map and as a surface. Pure."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from apps.analysis.repeats.grid import Grid, value_text
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure, Scale
from apps.tools.metrics import METRICS

COLOURS = "Viridis"
"""Perceptually uniform colour map of matplotlib, also in print and with colour blindness."""


def heat_map(grid: Grid, labels: dict[str, str], units: dict[str, str]) -> ChartFigure:
    """Return cells as colours with numbers, x across and y upwards."""
    scale = _scale(grid)
    z = [scale.of([c.median if c else None for c in cells]) for _y, cells in grid.rows()]
    text = [["" if v is None else _short(v) for v in row] for row in z]
    trace: ChartFigure = {
        "type": "heatmap",
        "x": _texts(grid, "x", units),
        "y": _texts(grid, "y", units),
        "z": z,
        "text": text,
        "texttemplate": "%{text}",
        "customdata": [
            [_spread(c, scale) if c else "" for c in cells] for _y, cells in grid.rows()
        ],
        "hovertemplate": "%{y} × %{x}: %{z:,.4g} "
        + scale.unit
        + "<br>%{customdata}<extra></extra>",
        "colorscale": COLOURS,
        "colorbar": {"title": {"text": scale.unit}},
        "xgap": 1,
        "ygap": 1,
    }
    shape = charts.layout(
        "",
        xaxis=charts.axis(labels[grid.choice.x], type="category"),
        yaxis=charts.axis(labels[grid.choice.y], type="category"),
    )
    return {"data": [trace], "layout": shape}


def surface(grid: Grid, labels: dict[str, str], units: dict[str, str]) -> ChartFigure:
    """Return a surface over both parameters, whose axes are evenly spaced by rank."""
    scale = _scale(grid)
    trace: ChartFigure = {
        "type": "surface",
        "x": list(range(len(grid.xs))),
        "y": list(range(len(grid.ys))),
        "z": [scale.of([c.median if c else None for c in cells]) for _y, cells in grid.rows()],
        "text": [
            [f"{y} × {x}" for x in _texts(grid, "x", units)] for y in _texts(grid, "y", units)
        ],
        "hovertemplate": "%{text}: %{z:,.4g} " + scale.unit + "<extra></extra>",
        "colorscale": COLOURS,
        "colorbar": {"title": {"text": scale.unit}},
        "contours": {"z": {"show": True, "usecolormap": True, "project": {"z": True}}},
    }
    scene = {
        "xaxis": _rank_axis(labels[grid.choice.x], _texts(grid, "x", units)),
        "yaxis": _rank_axis(labels[grid.choice.y], _texts(grid, "y", units)),
        "zaxis": charts.axis(_(METRICS[grid.choice.metric].label), scale.unit, rangemode="tozero"),
        "camera": {
            "eye": {"x": -1.35, "y": -1.35, "z": 0.75},
            "center": {"x": 0, "y": 0, "z": -0.2},
        },
        "aspectratio": {"x": 1.1, "y": 1.1, "z": 0.7},
    }
    around = {"l": 0, "r": 0, "t": 0, "b": 0}
    return {"data": [trace], "layout": charts.layout("", scene=scene, margin=around)}


def _rank_axis(label: str, texts: list[str]) -> ChartFigure:
    return charts.axis(label, tickvals=list(range(len(texts))), ticktext=texts)


def _texts(grid: Grid, side: str, units: dict[str, str]) -> list[str]:
    name = grid.choice.x if side == "x" else grid.choice.y
    values = grid.xs if side == "x" else grid.ys
    return [value_text(name, value, units.get(name, "")) for value in values]


def _scale(grid: Grid) -> Scale:
    values = [cell.median for cell in grid.cells.values()]
    return charts.scale_for(METRICS[grid.choice.metric].unit, values)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _spread(cell: Any, scale: Scale) -> str:
    low, high = scale.of([cell.least, cell.most])
    times = "1 repeat" if cell.repeats == 1 else f"{cell.repeats} repeats"
    return f"{times}, {low:,.4g} to {high:,.4g}"
