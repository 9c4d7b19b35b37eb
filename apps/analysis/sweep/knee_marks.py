"""Marks of a knee on the chart: a line and its range. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analysis.sweep.curve import Curve
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure


def knee_marks(curve: Curve, index: int, xs: Sequence[float]) -> list[ChartFigure]:
    """Return a line at a settled knee and its range; positions on the axis are ranks."""
    result = curve.knee
    if result is None or not result.is_settled:
        return []
    where = {"xref": "x", "yref": "paper", "y0": 0, "y1": 1}
    position, colour = xs.index(result.x), charts.colour(index)
    line = {"color": colour, "dash": "dot", "width": 1.5}
    marks: list[ChartFigure] = [
        {"type": "line", "x0": position, "x1": position, "line": line, **where}
    ]
    if result.low < result.high:
        ends = {"x0": xs.index(result.low), "x1": xs.index(result.high), **where}
        looks = {"fillcolor": colour, "opacity": 0.08, "line": {"width": 0}, "layer": "below"}
        marks.append({"type": "rect", **ends, **looks})
    return marks
