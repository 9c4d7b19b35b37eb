"""Curves over one parameter, metrics one above the other. Pure: data in, figure dicts out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _

from apps.analysis.sweep.curve import Curve
from apps.common import charts
from apps.common.charts import ChartFigure, Scale
from apps.tools.metrics import METRICS, metrics_on

PANELS = tuple(metric.key for metric in metrics_on("curve"))
GAP = 0.05
PANEL_HEIGHT = 190
GREY = charts.GREY


def curve_panels(
    curves: Sequence[Curve], *, label: str, words: Callable[[float], str], sla: Mapping[str, float]
) -> ChartFigure:
    """A panel for each metric that was measured, x evenly spaced by rank. `words` says an x value;
    `sla`: what was promised, by metric in canonical units, drawn as a line.
    """
    xs = sorted({point.x for curve in curves for point in curve.points})
    metrics = [metric for metric in PANELS if _known(curves, metric)]
    scales = {metric: _scale(curves, metric, sla.get(metric)) for metric in metrics}
    texts = [words(x) for x in xs]
    data = [
        _line(curve, metric, index, place, scales[metric], words)
        for place, metric in enumerate(metrics)
        for index, curve in enumerate(curves)
    ]
    shape = charts.layout("", hovermode="x", height=110 + PANEL_HEIGHT * max(1, len(metrics)))
    shape["xaxis"] = charts.axis(
        label, type="category", categoryarray=texts, anchor=_y(len(metrics) - 1)
    )
    for place, metric in enumerate(metrics):
        shape[_y(place).replace("y", "yaxis")] = _axis(metric, scales[metric], place, len(metrics))
    marks = [_knee(curve, index, xs) for index, curve in enumerate(curves)]
    promised = [
        _promise(sla[metric], scales[metric], place)
        for place, metric in enumerate(metrics)
        if metric in sla
    ]
    shape["shapes"] = [mark for mark in marks if mark] + [line for line, _text in promised]
    shape["annotations"] = [text for _line_, text in promised]
    return {"data": data, "layout": shape}


def panel_height(curves: Sequence[Curve]) -> str:
    """The figure's height as CSS."""
    return f"{110 + PANEL_HEIGHT * max(1, sum(_known(curves, m) for m in PANELS))}px"


def _known(curves: Sequence[Curve], metric: str) -> bool:
    return any(p.medians.get(metric) is not None for curve in curves for p in curve.points)


def _scale(curves: Sequence[Curve], metric: str, promised: float | None) -> Scale:
    values = [point.medians.get(metric) for curve in curves for point in curve.points]
    return charts.scale_for(METRICS[metric].unit, [*values, promised])


def _line(
    curve: Curve,
    metric: str,
    index: int,
    place: int,
    scale: Scale,
    words: Callable[[float], str],
) -> ChartFigure:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": curve.tuning,
        "legendgroup": curve.tuning,
        "showlegend": place == 0,
        "x": [words(point.x) for point in curve.points],
        "y": scale.of([point.medians.get(metric) for point in curve.points]),
        "xaxis": "x",
        "yaxis": _y(place),
        "line": {"color": charts.colour(index), "dash": charts.dash(index), "width": 2},
        "marker": {"symbol": charts.symbol(index), "size": 7},
    }


def _axis(metric: str, scale: Scale, place: int, panels: int) -> ChartFigure:
    height = (1 - GAP * (panels - 1)) / panels
    top = 1 - place * (height + GAP)
    more: dict[str, object] = {"rangemode": "tozero"}
    if METRICS[metric].scale == "log":
        more = {"type": "log"}
    if metric == "utilisation":
        more = {"range": [0, 105]}
    name = _(METRICS[metric].label).replace(", ", ",<br>") + "<br>"
    domain = [max(0.0, round(top - height, 6)), round(top, 6)]
    return charts.axis(name, scale.unit, domain=domain, anchor="x", **more)


def _knee(curve: Curve, index: int, xs: Sequence[float]) -> ChartFigure | None:
    """A line at the knee; on an axis of categories a place is a rank, as "4" would be one, too."""
    if curve.knee is None:
        return None
    place = xs.index(curve.knee)
    line = {"color": charts.colour(index), "dash": "dot", "width": 1.5}
    ends = {"x0": place, "x1": place, "y0": 0, "y1": 1}
    return {"type": "line", "xref": "x", "yref": "paper", "line": line, **ends}


def _promise(value: float, scale: Scale, place: int) -> tuple[ChartFigure, ChartFigure]:
    height = scale.of([value])[0]
    where = {"xref": "paper", "yref": _y(place)}
    line = {"type": "line", "x0": 0, "x1": 1, "y0": height, "y1": height, **where}
    text = {"text": f"SLA {height:,.4g} {scale.unit}", "showarrow": False, **where}
    place_of_text = {"x": 1, "y": height, "xanchor": "right", "yanchor": "bottom"}
    return line | {"line": {"color": GREY, "dash": "dash", "width": 1.5}}, text | place_of_text


def _y(place: int) -> str:
    return "y" if place <= 0 else f"y{place + 1}"
