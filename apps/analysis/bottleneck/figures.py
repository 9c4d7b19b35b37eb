"""Bars of what parts can do, what the array's level leaves, and what was measured. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.analysis.bottleneck.components import BottleneckResult
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure
from apps.tools.metrics import METRICS

DRAWN = 8
"""Tests of a chart; the table has all."""
BAR, FRAME = 104, 120
"""Pixels of a test's bars, and around all."""


def bottleneck_bars(found: Sequence[BottleneckResult]) -> ChartFigure:
    """Bars that lie, four for each test of one metric, the measured one last."""
    metric = found[0].metric
    values = [one.value for one in found] + [one.disks_sum for one in found]
    scale = charts.scale_for(METRICS[metric].unit, [*values, *(one.network for one in found)])
    rows: list[tuple[str, list[float | None]]] = [
        (_("Disks' sum"), [one.disks_sum for one in found]),
        (_("Array's ceiling"), [one.array for one in found]),
        (_("Network's sum"), [one.network for one in found]),
        (_("Measured"), [one.value for one in found]),
    ]
    # A category's own text may stand twice: places keep them apart.
    places = list(range(len(found)))
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "x": scale.of(row),
            "y": places,
            "marker": {"color": charts.colour(index)},
            "hovertemplate": f"%{{x:,.4g}} {scale.unit}<extra>{name}</extra>",
        }
        for index, (name, row) in enumerate(rows)
        if any(value is not None for value in row)
    ]
    shape = charts.layout(
        "",
        barmode="group",
        xaxis=charts.axis(_(METRICS[metric].label), scale.unit, rangemode="tozero"),
        yaxis={
            "tickvals": places,
            "ticktext": [f"{one.name}<br>{one.operation}" for one in found],
            "autorange": "reversed",
            "automargin": True,
        },
    )
    return {"data": data, "layout": shape}


def height_of(tests: int) -> int:
    """The height of so many tests' bars in pixels."""
    return FRAME + BAR * tests
