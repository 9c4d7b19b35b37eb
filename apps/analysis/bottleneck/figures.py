"""Bar chart of component limits, the array's limit and the measured result. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.analysis.bottleneck.components import BottleneckResult
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure
from apps.tools.metrics import METRICS

MAX_TESTS_ON_CHART = 8
"""Limit of tests on a chart; the table has all."""
BAR, FRAME = 104, 120
"""Pixels of a test's bars, and around all."""


def bottleneck_bars(tests: Sequence[BottleneckResult]) -> ChartFigure:
    """Return horizontal bars of one metric, four per test, the measured one last."""
    metric = tests[0].metric
    values = [one.value for one in tests] + [one.disks_sum for one in tests]
    scale = charts.scale_for(METRICS[metric].unit, [*values, *(one.network for one in tests)])
    rows: list[tuple[str, list[float | None]]] = [
        (_("Disks' sum"), [one.disks_sum for one in tests]),
        (_("Array limit"), [one.array for one in tests]),
        (_("Network's sum"), [one.network for one in tests]),
        (_("Measured"), [one.value for one in tests]),
    ]
    # Two categories may have equal text, so the axis uses numbers.
    positions = list(range(len(tests)))
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "x": scale.of(row),
            "y": positions,
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
            "tickvals": positions,
            "ticktext": [f"{one.name}<br>{one.operation}" for one in tests],
            "autorange": "reversed",
            "automargin": True,
        },
    )
    return {"data": data, "layout": shape}


def height_of(tests: int) -> int:
    """Return the chart height in pixels."""
    return FRAME + BAR * tests
