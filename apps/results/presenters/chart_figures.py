"""Figures of latency distributions and series. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure, Scale
from apps.common.domain.charts.downsample import MAX_POINTS, downsample
from apps.common.domain.histograms import Floats, Ints, cdf, to_fixed
from apps.tools.metrics import METRICS, PERCENTILES, metrics_on, shown_unit

PANELS = tuple(metric.key for metric in metrics_on("time"))
"""Metrics over time from top to bottom: what the tool saw, then what the device says."""
TICKS = ("50", "90", *(name for name in PERCENTILES if set(name) <= {"9", "."}))
"""Evenly far apart on the stretched axis: the median, then a nine more each time."""
FEW = 10  # samples that are drawn as points too
_GAP = 0.04


@dataclass(frozen=True)
class Distribution:
    """Named latency histogram on fio's bins (ns, ascending)."""

    name: str
    bins: Sequence[int] | Ints
    counts: Sequence[int] | Ints


@dataclass(frozen=True)
class Trace:
    """Metric over time: `seconds` since the start of the tool, `values` in the canonical unit.

    `metric`: a key of METRICS. None is a gap. Traces of one `name` (a case, a device) share colour
    and legend.
    """

    metric: str
    name: str
    seconds: Sequence[float]
    values: Sequence[float | None]


def percentile_curves(distributions: Sequence[Distribution], *, title: str) -> ChartFigure:
    """Return latency by percentile with a stretched tail: 90, 99 and 99.9 % are equidistant.

    The axis is logarithmic in 1 / (share above), with a step per bin.
    """
    curves = [(d, *_curve(d)) for d in distributions]
    scale = charts.scale_for("ns", [float(ns[-1]) for _, _, ns in curves if len(ns)])
    data = [_curve_trace(d.name, i, x, ns, scale) for i, (d, x, ns) in enumerate(curves)]
    ticks = [100 / (100 - float(name)) for name in TICKS]
    across = charts.axis(
        _("Percentile"),
        "%",
        type="log",
        tickvals=ticks,
        ticktext=list(TICKS),
    )
    heights = [height for trace in data for height in trace["y"]]
    upright = charts.axis(_("Latency"), scale.unit, type="log", **charts.log_ticks(heights))
    shape = charts.layout(title, hovermode="closest", xaxis=across, yaxis=upright)
    return {"data": data, "layout": shape}


def _curve(distribution: Distribution) -> tuple[Floats, Floats]:
    """Return (1 / share above, ns); bins start at the end of the one below: finite maximum.

    0 ns (fio's first bin) is drawn as 0.5 ns, as the axis is logarithmic.
    """
    ns, share = cdf(distribution.bins, distribution.counts)
    below = np.concatenate([[0.0], share[:-1]]) if len(share) else share
    return 1 / (1 - below), np.maximum(ns.astype(np.float64), 0.5)


def _curve_trace(name: str, index: int, x: Floats, ns: Floats, scale: Scale) -> ChartFigure:
    sampled = downsample(np.log10(x), ns, MAX_POINTS)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": (10**sampled.x).tolist(),
        "y": scale.of(sampled.y.tolist()),
        "line": {"shape": "hv", "color": charts.colour(index), "dash": charts.dash(index)},
        "meta": {"shown": sampled.shown, "total": sampled.total},
    }


def latency_histogram(
    bins: Sequence[int] | Ints,
    counts: Sequence[int] | Ints,
    *,
    title: str,
) -> ChartFigure:
    """Return the share of operations by groups of fio's bins."""
    low, high, shown = to_fixed(bins, counts)
    borders = np.maximum(np.append(low, high[-1:]).astype(np.float64), 0.5)
    scale = charts.scale_for("ns", borders[-1:].tolist())
    shares = (100 * shown / max(1, int(shown.sum()))).tolist()
    trace: ChartFigure = {
        "type": "scatter",
        "mode": "lines",
        "name": _("Share of operations"),
        "x": scale.of(borders.tolist()),
        "y": shares + shares[-1:],
        "line": {"shape": "hv", "color": charts.colour(0)},
        "fill": "tozeroy",
    }
    across = charts.axis(_("Latency"), scale.unit, type="log", **charts.log_ticks(trace["x"]))
    upright = charts.axis(_("Share of operations"), "%", rangemode="tozero")
    shape = charts.layout(title, showlegend=False, xaxis=across, yaxis=upright)
    return {"data": [trace], "layout": shape}


def time_series(
    traces: Sequence[Trace],
    device: Sequence[Trace] = (),
    *,
    title: str,
    labels: Mapping[str, str] | None = None,
    network: bool = False,
) -> ChartFigure:
    """Return one panel per metric on a common time axis, the tool's above the device's.

    Panels follow PANELS, then other metrics. `labels`: by metric key, and "time" and "unit" of the
    axis. Long traces are downsampled with their extremes; `meta` has the number of points.
    """
    words = dict(labels or {})
    every = [*traces, *device]
    metrics = _panels(every)
    scales = {
        m: charts.scale_for(
            shown_unit(m, network=network), [v for t in every if t.metric == m for v in t.values]
        )
        for m in metrics
    }
    names = list(dict.fromkeys(trace.name for trace in every))
    first = {name: next(t for t in every if t.name == name) for name in names}
    data = [
        _line(t, metrics.index(t.metric), names.index(t.name), scales[t.metric], first[t.name] is t)
        for t in every
    ]
    shape = charts.layout(title, hovermode="x", height=150 + 180 * max(1, len(metrics)))
    shape["xaxis"] = charts.axis(
        words.get("time", "Time"), words.get("unit", "s"), anchor=_y(max(0, len(metrics) - 1))
    )
    for panel, metric in enumerate(metrics):
        name = (
            words.get(metric, _(METRICS[metric].label)) + "<br>"
        )  # a panel is lower than it is wide
        shape[_y(panel).replace("y", "yaxis")] = charts.axis(
            name,
            scales[metric].unit,
            domain=_domain(panel, len(metrics)),
            anchor="x",
            rangemode="tozero",
        )
    return {"data": data, "layout": shape}


def _panels(traces: Sequence[Trace]) -> list[str]:
    present = list(dict.fromkeys(trace.metric for trace in traces))
    return [m for m in PANELS if m in present] + [m for m in present if m not in PANELS]


def _y(panel: int) -> str:
    return "y" if panel == 0 else f"y{panel + 1}"


def _domain(panel: int, panels: int) -> list[float]:
    height = (1 - _GAP * (panels - 1)) / panels
    top = 1 - panel * (height + _GAP)
    return [max(0.0, round(top - height, 6)), round(top, 6)]


def _line(trace: Trace, panel: int, index: int, scale: Scale, in_legend: bool) -> ChartFigure:
    sampled = downsample(trace.seconds, np.array(trace.values, dtype=np.float64), MAX_POINTS)
    return {
        "type": "scatter",
        # A line of one point cannot be seen: a test of a second has one sample.
        "mode": "lines" if len(sampled.x) > FEW else "lines+markers",
        "name": trace.name,
        "legendgroup": trace.name,
        "showlegend": in_legend,
        "x": sampled.x.tolist(),
        "y": scale.of(sampled.y.tolist()),
        "xaxis": "x",
        "yaxis": _y(panel),
        "line": {"color": charts.colour(index), "dash": charts.dash(index), "width": 1.5},
        "marker": {"color": charts.colour(index), "symbol": charts.symbol(index), "size": 5},
        "connectgaps": False,
        "meta": {"shown": sampled.shown, "total": sampled.total},
    }
