"""Sweep chart: curves over one parameter, a panel per metric. Pure.

Every repeat is a faint dot, the interval of each median a band; marks show the comparison's
verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from apps.analysis.sweep.curve import CurvePoint
from apps.analysis.sweep.curve_chart import CurveChart
from apps.analysis.sweep.knee_marks import knee_marks
from apps.analysis.verdicts.verdict_text import kind_text
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure, Scale
from apps.common.domain.units import significant
from apps.common.domain.value_format import format_change
from apps.common.domain.verdicts import VerdictKind
from apps.tools.metrics import METRICS

GAP = 0.05
GREY = charts.GREY
MAX_DOTS = 1_500
Ranks = Mapping[float, int]
DOTS_WIDTH = 0.3
"""Width over which the dots of several curves are spread, in steps of the axis."""
MISSED = "x"
_MARKS = {VerdictKind.BETTER: "triangle-up", VerdictKind.WORSE: "triangle-down"}


def curve_panels(chart: CurveChart) -> ChartFigure:
    """Return a panel per metric, x evenly spaced by rank."""
    panels = chart.panels
    scales = {metric: _scale(chart, metric) for metric in panels}
    data: list[ChartFigure] = []
    for panel, metric in enumerate(panels):
        for index in range(len(chart.curves)):
            data += _traces(chart, metric, index, panel, scales[metric])
    texts = [chart.words(x) for x in chart.xs]
    shape = charts.layout("", hovermode="closest", height=chart.height)
    shape["xaxis"] = charts.axis(
        chart.label, tickmode="array", tickvals=list(range(len(texts))), ticktext=texts,
        range=[-0.5, len(texts) - 0.5], zeroline=False, anchor=_y(len(panels) - 1), tickangle=0,
    )  # fmt: skip
    for panel, metric in enumerate(panels):
        shape[_y(panel).replace("y", "yaxis")] = _axis(
            metric, scales[metric], panel, len(panels), _panel_values(chart, metric, scales[metric])
        )
    knees: list[ChartFigure] = []
    for index, curve in enumerate(chart.curves):
        knees += knee_marks(curve, index, chart.xs)
    promised = [
        _sla_line(chart.promised[metric], scales[metric], panel)
        for panel, metric in enumerate(panels)
        if metric in chart.promised
    ]
    loads = [
        mark for index in range(len(chart.curves)) if (mark := _largest_load_line(chart, index))
    ]
    lines = [line for line, _text in (*promised, *loads)]
    shape["shapes"] = knees + lines
    shape["annotations"] = [text for _line_, text in (*promised, *loads)]
    return {"data": data, "layout": shape}


def _scale(chart: CurveChart, metric: str) -> Scale:
    unit = METRICS[metric].unit
    unit_shown = "network" if chart.network and unit == "bytes/s" else unit
    result = [v for curve in chart.curves for p in curve.points for v in p.values.get(metric, ())]
    return charts.scale_for(unit_shown, [*result, chart.promised.get(metric)])


def _panel_values(chart: CurveChart, metric: str, scale: Scale) -> list[float | None]:
    return scale.of(
        value
        for curve in chart.curves
        for point in curve.points
        for value in point.values.get(metric, ())
    )


def _traces(
    chart: CurveChart, metric: str, index: int, panel: int, scale: Scale
) -> list[ChartFigure]:
    curve = chart.curves[index]
    points = [point for point in curve.points if point.median(metric) is not None]
    if not points:
        return []
    ranks = {x: rank for rank, x in enumerate(chart.xs)}
    where = {"xaxis": "x", "yaxis": _y(panel), "legendgroup": str(index)}
    traces = [_dots(chart, metric, index, scale, points, ranks) | where]
    band = _band(metric, index, scale, points, ranks)
    if band:
        traces.append(band | where)
    line = _line(chart, metric, index, scale, points, ranks) | where
    return [*traces, line | {"showlegend": panel == 0}]


def _dots(
    chart: CurveChart,
    metric: str,
    index: int,
    scale: Scale,
    points: Sequence[CurvePoint],
    ranks: Ranks,
) -> ChartFigure:
    """Return every repeat as a dot, shifted by curve."""
    many = len(chart.curves)
    aside = DOTS_WIDTH * ((index + 0.5) / many - 0.5)
    result = [(ranks[p.x] + aside, value) for p in points for value in p.values[metric]]
    shown = charts.pick_evenly(result, MAX_DOTS)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": chart.names[index],
        "showlegend": False,
        "hoverinfo": "skip",
        "x": [round(x, 4) for x, _value in shown],
        "y": scale.of([value for _x, value in shown]),
        "marker": {"color": charts.colour(index), "size": 5, "opacity": 0.6},
    }


def _band(
    metric: str, index: int, scale: Scale, points: Sequence[CurvePoint], ranks: Ranks
) -> ChartFigure | None:
    """Return the exact 95 % interval of each median, from six repeats on."""
    ends = [(p.x, p.spreads[metric].low, p.spreads[metric].high) for p in points]
    intervals = [
        (ranks[x], low, high) for x, low, high in ends if low is not None and high is not None
    ]
    if not intervals:
        return None
    up = [low for _x, low, _high in intervals]
    down = [high for _x, _low, high in reversed(intervals)]
    return {
        "type": "scatter",
        "mode": "lines",
        "fill": "toself",
        "hoverinfo": "skip",
        "showlegend": False,
        "x": [x for x, *_ends in intervals] + [x for x, *_ends in reversed(intervals)],
        "y": scale.of([*up, *down]),
        "line": {"width": 0, "color": charts.colour(index)},
        "opacity": 0.18,
        "fillcolor": charts.colour(index),
    }


def _line(
    chart: CurveChart,
    metric: str,
    index: int,
    scale: Scale,
    points: Sequence[CurvePoint],
    ranks: Ranks,
) -> ChartFigure:
    kinds = [_kind(point, metric) for point in points]
    missed = [_is_missed(chart, index, point) for point in points]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": chart.names[index],
        "x": [ranks[point.x] for point in points],
        "y": scale.of([point.median(metric) for point in points]),
        "customdata": [_hover(chart, point, metric, scale) for point in points],
        "hovertemplate": "%{customdata}<extra>%{fullData.name}</extra>",
        "line": {"color": charts.colour(index), "dash": charts.dash(index), "width": 2},
        "marker": {
            "symbol": [_symbol(*each) for each in zip(kinds, missed, strict=True)],
            "size": [
                11 if kind in _MARKS else 9 if cross else 6
                for kind, cross in zip(kinds, missed, strict=True)
            ],
        },
    }


def _symbol(kind: VerdictKind | None, missed: bool) -> str:
    if kind in _MARKS:
        return _MARKS[kind]
    return MISSED if missed else charts.symbol(0) if kind else "circle"


def _is_missed(chart: CurveChart, index: int, point: CurvePoint) -> bool:
    """Return True if a load search tested this value and an expectation failed."""
    result = chart.load(index)
    return result is not None and result.held.get(point.x) is False


def _kind(point: CurvePoint, metric: str) -> VerdictKind | None:
    verdict = point.verdicts.get(metric)
    return verdict.kind if verdict else None


def _hover(chart: CurveChart, point: CurvePoint, metric: str, scale: Scale) -> str:
    """Return the median, its repeats and the verdict."""
    result = point.spreads[metric]
    median, low, high = scale.of([result.median, result.min, result.max])
    hover = f"{chart.label} {chart.words(point.x)}: {significant(median or 0.0)} {scale.unit}"
    if result.n > 1:
        hover += f"<br>{result.n} × {significant(low or 0.0)} … {significant(high or 0.0)}"
    verdict = point.verdicts.get(metric)
    if verdict:
        hover += f"<br>{kind_text(verdict.kind)}, {format_change(verdict.effect.ratio)}"
    return hover


def _axis(
    metric: str, scale: Scale, panel: int, panels: int, shown: Sequence[float | None]
) -> ChartFigure:
    height = (1 - GAP * (panels - 1)) / panels
    top = 1 - panel * (height + GAP)
    more: dict[str, object] = {"rangemode": "tozero"}
    if METRICS[metric].scale == "log":
        more = {"type": "log", **charts.log_ticks(shown)}
    if metric == "utilisation":
        more = {"range": [0, 105]}
    name = _(METRICS[metric].label).replace(", ", ",<br>") + "<br>"
    domain = [max(0.0, round(top - height, 6)), round(top, 6)]
    return charts.axis(name, scale.unit, domain=domain, anchor="x", **more)


def _largest_load_line(chart: CurveChart, index: int) -> tuple[ChartFigure, ChartFigure] | None:
    """Return a line at the largest load that meets the expectations, with its value."""
    result = chart.load(index)
    if result is None or result.largest not in chart.xs:
        return None
    panel, colour = chart.xs.index(result.largest), charts.colour(index)
    where = {"xref": "x", "yref": "paper"}
    ends = {"x0": panel, "x1": panel, "y0": 0, "y1": 1, "line": {"color": colour, "width": 1.5}}
    text = _("holds up to {value}").format(value=chart.words(result.largest))
    text_position = {"x": panel, "y": 1, "xanchor": "left", "yanchor": "top", "yshift": -14 * index}
    annotation = {
        "text": text,
        "showarrow": False,
        "font": {"color": colour},
        **where,
        **text_position,
    }
    return {"type": "line", **where, **ends}, annotation


def _sla_line(value: float, scale: Scale, panel: int) -> tuple[ChartFigure, ChartFigure]:
    height = scale.of([value])[0]
    where = {"xref": "paper", "yref": _y(panel)}
    line = {"type": "line", "x0": 0, "x1": 1, "y0": height, "y1": height, **where}
    text = {"text": f"SLA {height:,.4g} {scale.unit}", "showarrow": False, **where}
    text_position = {"x": 1, "y": height, "xanchor": "right", "yanchor": "bottom"}
    return line | {"line": {"color": GREY, "dash": "dash", "width": 1.5}}, text | text_position


def _y(panel: int) -> str:
    return "y" if panel <= 0 else f"y{panel + 1}"
