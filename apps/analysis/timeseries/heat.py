"""Latency heat maps: distribution of latencies per interval. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure
from apps.tools.series.histograms import lower_edges, upper_edges

MAX_MAPS = 4
"""Limit of maps below each other."""
MAX_COLUMNS = 600
"""Limit of columns of a map; adjacent intervals are summed."""
PANEL, FRAME = 220, 110
"""Height of a map, and of what is around them, in pixels."""
_GAP = 0.12
COLOURS = "Viridis"
"""Perceptually uniform colour map of matplotlib, also in print and with colour blindness."""
MIN_POWER, MAX_POWER = -2, 2
"""Powers of ten of the percents between which colours differ: 0.01 to 100 %. A linear scale would
show the median alone."""
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Heat:
    """Counts of one operation of one test, intervals by buckets; `lows`: lower edges in ns."""

    name: str
    start: float
    interval: float
    lows: Sequence[int]
    counts: Counts


def window_of(heat: Heat, start: float | None, end: float | None) -> Heat:
    """Return the intervals that overlap these seconds."""
    last = len(heat.counts)
    first = 0 if start is None else max(0, int((start - heat.start) / heat.interval))
    if end is not None:
        last = min(last, max(0, -int(-(end - heat.start) // heat.interval)))
    started_at = heat.start + first * heat.interval
    return Heat(heat.name, started_at, heat.interval, heat.lows, heat.counts[first:last])


def heat_maps(heats: Sequence[Heat]) -> ChartFigure:
    """Return a map per heat, stacked on common axes of time and latency."""
    borders = _bucket_edges(heats)
    scale = charts.scale_for("ns", borders[-1:].tolist())
    shape = charts.layout(
        "",
        hovermode="closest",
        xaxis=charts.axis(_("Time"), "s", anchor=_y(len(heats) - 1)),
    )
    edges = scale.of(np.maximum(borders, 0.5).tolist())
    data = []
    for panel, heat in enumerate(heats):
        data.append(_map(heat, borders, edges, scale.unit, panel))
        shape[_y(panel).replace("y", "yaxis")] = charts.axis(
            _("Latency"),
            scale.unit,
            type="log",
            domain=_domain(panel, len(heats)),
            anchor="x",
            **charts.log_ticks(edges),
        )
    if len(heats) > 1:
        shape["annotations"] = [_title(heat, panel, len(heats)) for panel, heat in enumerate(heats)]
    return {"data": data, "layout": shape}


def height_of(maps: int) -> int:
    """Return the height of the maps in pixels."""
    return FRAME + PANEL * maps


def _bucket_edges(heats: Sequence[Heat]) -> NDArray[np.float64]:
    """Return the edges of all adjacent buckets from the fastest to the slowest operation."""
    seen = np.concatenate([np.asarray(heat.lows, np.int64) for heat in heats])
    edges = [int(seen.min())]
    while edges[-1] <= seen.max():
        low = np.array(edges[-1:], np.int64)
        edges.append(int(upper_edges(lower_edges(low))[0]))
    return np.array(edges, np.float64)


def _map(
    heat: Heat,
    borders: NDArray[np.float64],
    edges: Sequence[float | None],
    unit: str,
    panel: int,
) -> ChartFigure:
    joined = max(1, -(-len(heat.counts) // MAX_COLUMNS))
    starts = np.arange(0, len(heat.counts), joined)
    counts = np.add.reduceat(heat.counts, starts, axis=0) if len(starts) else heat.counts
    cells = np.zeros((len(counts), len(borders) - 1), np.int64)
    cells[:, np.searchsorted(borders, np.asarray(heat.lows))] = counts
    total = np.maximum(cells.sum(axis=1, keepdims=True), 1)
    shares = (100 * cells / total).T.tolist()
    across = [*(heat.start + starts * heat.interval), heat.start + len(heat.counts) * heat.interval]
    return {
        "type": "heatmap",
        "name": heat.name,
        "x": [round(float(second), 6) for second in across],
        "y": list(edges),
        "z": [[_power(cell) for cell in row] for row in shares],
        "customdata": [[_share(cell) for cell in row] for row in shares],
        "zmin": MIN_POWER,
        "zmax": MAX_POWER,
        "colorscale": COLOURS,
        "showscale": panel == 0,
        "colorbar": {
            "title": {"text": "%"},
            "tickvals": list(range(MIN_POWER, MAX_POWER + 1)),
            "ticktext": [f"{10.0**power:g}" for power in range(MIN_POWER, MAX_POWER + 1)],
        },
        "hovertemplate": f"%{{x}} s, %{{y:,.4g}} {unit}: %{{customdata:.4g}} %"
        f"<extra>{_escape(heat.name)}</extra>",
        "xaxis": "x",
        "yaxis": _y(panel),
    }


def _share(cell: float) -> float | None:
    """Return a share in percent; None without operations."""
    return float(f"{cell:.4g}") if cell else None


def _power(cell: float) -> float | None:
    """Return the power of ten of a share, which is its colour."""
    return round(math.log10(cell), 3) if cell else None


def _escape(text: str) -> str:
    """Return text without Plotly markup."""
    return charts.escape_text(text).replace("%{", "% {")


def _y(panel: int) -> str:
    return "y" if panel == 0 else f"y{panel + 1}"


def _domain(panel: int, panels: int) -> list[float]:
    height = (1 - _GAP * (panels - 1)) / panels
    top = 1 - panel * (height + _GAP)
    return [max(0.0, round(top - height, 6)), round(top, 6)]


def _title(heat: Heat, panel: int, panels: int) -> ChartFigure:
    return {
        "text": _escape(heat.name), "showarrow": False, "xref": "paper", "yref": "paper",
        "x": 0, "xanchor": "left", "y": _domain(panel, panels)[1], "yanchor": "bottom",
    }  # fmt: skip
