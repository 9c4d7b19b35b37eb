"""Charts of distributions: latency by percentile, and overlaid histograms. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from apps.analysis.distribution.result import Merged
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure, Scale
from apps.common.domain.histograms import Ints, merge, to_fixed
from apps.results.presenters.chart_figures import Distribution, percentile_curves
from apps.tools.metrics import TAIL

CROWDED = 100
"""Ratio of highest to lowest latency from which ticks at 1, 2 and 5 are too dense."""
MAX_PERCENTILE = float(TAIL[-1])
"""Percentile at which the axis ends; beyond it are single operations."""


def curves_chart(merged: Sequence[Merged]) -> ChartFigure:
    """Return latency by percentile with a stretched tail."""
    curves = [Distribution(one.name, one.bins, one.counts) for one in merged]
    figure = percentile_curves(curves, title="")
    values = [value for trace in figure["data"] for value in trace["y"]]
    figure["layout"]["yaxis"] |= charts.log_ticks(values)
    across = figure["layout"]["xaxis"]
    deepest = max((max(trace["x"], default=1.0) for trace in figure["data"]), default=10.0)
    end = min(deepest, 100 / (100 - MAX_PERCENTILE))
    across |= {
        "range": [0, float(np.log10(end)) * 1.02],
        "tickvals": [100 / (100 - float(name)) for name in TAIL],
        "ticktext": list(TAIL),
        "tickangle": 0,
    }
    return figure


def histograms_chart(merged: Sequence[Merged], *, latency: str, share: str) -> ChartFigure:
    """Return overlaid shares of operations by latency, in common buckets."""
    bins, counts = merge((one.bins, one.counts) for one in merged)
    low, high, _all = to_fixed(bins, counts)
    borders = np.maximum(np.append(low, high[-1:]).astype(np.float64), 0.5)
    scale = charts.scale_for("ns", borders[-1:].tolist())
    data = [
        _share_trace(one, index, low, borders.tolist(), scale) for index, one in enumerate(merged)
    ]
    ticks = _ticks(scale.of(borders.tolist()))
    shape = charts.layout(
        "",
        hovermode="closest",
        xaxis=charts.axis(latency, scale.unit, type="log", tickangle=0, **ticks),
        yaxis=charts.axis(share, "%", rangemode="tozero"),
    )
    return {"data": data, "layout": shape}


def _ticks(values: Sequence[float | None]) -> ChartFigure:
    """Return ticks that fit a narrow screen: powers of ten over a wide range."""
    positive = [value for value in values if value]
    if max(positive) / min(positive) < CROWDED:
        return charts.log_ticks(values)
    powers = range(math.floor(math.log10(min(positive))), math.ceil(math.log10(max(positive))) + 1)
    ticks = [10.0**power for power in powers]
    return {"tickmode": "array", "tickvals": ticks, "ticktext": [f"{tick:,.9g}" for tick in ticks]}


def _share_trace(
    one: Merged, index: int, low: Ints, borders: list[float], scale: Scale
) -> ChartFigure:
    buckets = np.searchsorted(low, one.bins, side="right") - 1
    sums = np.zeros(len(low), np.int64)
    np.add.at(sums, buckets, one.counts)
    shares = (100 * sums / max(1, one.operations)).tolist()
    return {
        "type": "scatter",
        "mode": "lines",
        "name": one.name,
        "x": scale.of(borders),
        "y": shares + shares[-1:],
        "line": {"shape": "hv", "color": charts.colour(index), "dash": charts.dash(index)},
        "fill": "tozeroy",
        "fillcolor": _transparent(charts.colour(index)),
    }


def _transparent(colour: str) -> str:
    """Return a transparent colour."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.12)"
