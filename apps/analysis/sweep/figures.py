"""Curves over one parameter, metrics one above the other: every repeat as a faint dot, the interval
of each median as a band, and marks that say what the comparison does. Pure: data in, figure dicts
out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.analysis.sweep.curve import Curve, CurvePoint
from apps.analysis.sweep.knee_marks import knee_marks
from apps.analysis.sweep.load_search.marks import LoadMarks
from apps.analysis.verdicts.text import kind_text, percent
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure, Scale
from apps.common.domain.units import significant
from apps.common.domain.verdicts import VerdictKind
from apps.tools.metrics import METRICS, metrics_on

PANELS = tuple(metric.key for metric in metrics_on("curve"))
GAP = 0.05
PANEL_HEIGHT = 200
GREY = charts.GREY
MAX_DOTS = 1_500
ROUNDING = 1e-3
Ranks = Mapping[float, int]
SIDE = 0.3
"""Width over which the curves' dots stand beside each other, where a step of the axis is 1."""
MISSED = "x"
_MARKS = {VerdictKind.BETTER: "triangle-up", VerdictKind.WORSE: "triangle-down"}


@dataclass(frozen=True)
class Drawn:
    """Contents of the chart: curves, their names, the title of the axis, `words` for its values.
    `promised`: by metric in canonical units. `network`: rates are a network's. `asked`: figures
    over time that have a panel below the others. `loads`: marks of a search, by curve.
    """

    curves: Sequence[Curve]
    names: Sequence[str]
    label: str
    words: Callable[[float], str]
    promised: Mapping[str, float]
    network: bool = False
    asked: Sequence[str] = ()
    loads: Sequence[LoadMarks | None] = ()

    def load(self, index: int) -> LoadMarks | None:
        return self.loads[index] if index < len(self.loads) else None

    @property
    def xs(self) -> list[float]:
        return sorted({point.x for curve in self.curves for point in curve.points})

    @property
    def panels(self) -> list[str]:
        """The metrics that were measured; of IOPS and bandwidth that say the same only one."""
        known = [
            m for m in (*PANELS, *self.asked) if any(p.median(m) is not None for p in self._points)
        ]
        size = self._one_block_size()
        if size is None or {"iops", "bandwidth"} - set(known):
            return known
        return [m for m in known if m != ("iops" if size > SMALL else "bandwidth")]

    @property
    def height(self) -> int:
        """Of the figure, in px."""
        return 110 + PANEL_HEIGHT * max(1, len(self.panels))

    @property
    def _points(self) -> list[CurvePoint]:
        return [point for curve in self.curves for point in curve.points]

    def _one_block_size(self) -> float | None:
        """Bytes an operation moves, where that is the same everywhere."""
        sizes = [
            bandwidth / iops
            for point in self._points
            if (iops := point.median("iops")) and (bandwidth := point.median("bandwidth"))
        ]
        if not sizes or max(sizes) > min(sizes) * (1 + ROUNDING):
            return None
        return sizes[0]


SMALL = 64 * 1024
"""Blocks up to here are asked for their IOPS, larger ones for their bandwidth."""


def curve_panels(drawn: Drawn) -> ChartFigure:
    """A panel for each metric, x evenly spaced by rank."""
    panels = drawn.panels
    scales = {metric: _scale(drawn, metric) for metric in panels}
    data: list[ChartFigure] = []
    for place, metric in enumerate(panels):
        for index in range(len(drawn.curves)):
            data += _traces(drawn, metric, index, place, scales[metric])
    texts = [drawn.words(x) for x in drawn.xs]
    shape = charts.layout("", hovermode="closest", height=drawn.height)
    shape["xaxis"] = charts.axis(
        drawn.label, tickmode="array", tickvals=list(range(len(texts))), ticktext=texts,
        range=[-0.5, len(texts) - 0.5], zeroline=False, anchor=_y(len(panels) - 1), tickangle=0,
    )  # fmt: skip
    for place, metric in enumerate(panels):
        shape[_y(place).replace("y", "yaxis")] = _axis(
            metric, scales[metric], place, len(panels), _displayed(drawn, metric, scales[metric])
        )
    knees: list[ChartFigure] = []
    for index, curve in enumerate(drawn.curves):
        knees += knee_marks(curve, index, drawn.xs)
    promised = [
        _promise(drawn.promised[metric], scales[metric], place)
        for place, metric in enumerate(panels)
        if metric in drawn.promised
    ]
    loads = [mark for index in range(len(drawn.curves)) if (mark := _largest(drawn, index))]
    lines = [line for line, _text in (*promised, *loads)]
    shape["shapes"] = knees + lines
    shape["annotations"] = [text for _line_, text in (*promised, *loads)]
    return {"data": data, "layout": shape}


def _scale(drawn: Drawn, metric: str) -> Scale:
    unit = METRICS[metric].unit
    unit_shown = "network" if drawn.network and unit == "bytes/s" else unit
    found = [v for curve in drawn.curves for p in curve.points for v in p.values.get(metric, ())]
    return charts.scale_for(unit_shown, [*found, drawn.promised.get(metric)])


def _displayed(drawn: Drawn, metric: str, scale: Scale) -> list[float | None]:
    return scale.of(
        value
        for curve in drawn.curves
        for point in curve.points
        for value in point.values.get(metric, ())
    )


def _traces(drawn: Drawn, metric: str, index: int, place: int, scale: Scale) -> list[ChartFigure]:
    curve = drawn.curves[index]
    points = [point for point in curve.points if point.median(metric) is not None]
    if not points:
        return []
    ranks = {x: rank for rank, x in enumerate(drawn.xs)}
    where = {"xaxis": "x", "yaxis": _y(place), "legendgroup": str(index)}
    traces = [_dots(drawn, metric, index, scale, points, ranks) | where]
    band = _band(metric, index, scale, points, ranks)
    if band:
        traces.append(band | where)
    line = _line(drawn, metric, index, scale, points, ranks) | where
    return [*traces, line | {"showlegend": place == 0}]


def _dots(
    drawn: Drawn, metric: str, index: int, scale: Scale, points: Sequence[CurvePoint], ranks: Ranks
) -> ChartFigure:
    """Every repeat, the curves' beside each other."""
    many = len(drawn.curves)
    aside = SIDE * ((index + 0.5) / many - 0.5)
    found = [(ranks[p.x] + aside, value) for p in points for value in p.values[metric]]
    shown = charts.pick_evenly(found, MAX_DOTS)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": drawn.names[index],
        "showlegend": False,
        "hoverinfo": "skip",
        "x": [round(x, 4) for x, _value in shown],
        "y": scale.of([value for _x, value in shown]),
        "marker": {"color": charts.colour(index), "size": 4, "opacity": 0.35},
    }


def _band(
    metric: str, index: int, scale: Scale, points: Sequence[CurvePoint], ranks: Ranks
) -> ChartFigure | None:
    """The exact 95 % interval of each median, from six repeats on."""
    ends = [(p.x, p.spreads[metric].low, p.spreads[metric].high) for p in points]
    known = [(ranks[x], low, high) for x, low, high in ends if low is not None and high is not None]
    if not known:
        return None
    up = [low for _x, low, _high in known]
    down = [high for _x, _low, high in reversed(known)]
    return {
        "type": "scatter",
        "mode": "lines",
        "fill": "toself",
        "hoverinfo": "skip",
        "showlegend": False,
        "x": [x for x, *_ends in known] + [x for x, *_ends in reversed(known)],
        "y": scale.of([*up, *down]),
        "line": {"width": 0, "color": charts.colour(index)},
        "opacity": 0.18,
        "fillcolor": charts.colour(index),
    }


def _line(
    drawn: Drawn, metric: str, index: int, scale: Scale, points: Sequence[CurvePoint], ranks: Ranks
) -> ChartFigure:
    kinds = [_kind(point, metric) for point in points]
    missed = [_is_missed(drawn, index, point) for point in points]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": drawn.names[index],
        "x": [ranks[point.x] for point in points],
        "y": scale.of([point.median(metric) for point in points]),
        "customdata": [_hover(drawn, point, metric, scale) for point in points],
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


def _is_missed(drawn: Drawn, index: int, point: CurvePoint) -> bool:
    """Whether a search tried this value, and what is expected did not hold there."""
    found = drawn.load(index)
    return found is not None and found.held.get(point.x) is False


def _kind(point: CurvePoint, metric: str) -> VerdictKind | None:
    verdict = point.verdicts.get(metric)
    return verdict.kind if verdict else None


def _hover(drawn: Drawn, point: CurvePoint, metric: str, scale: Scale) -> str:
    """The median, its repeats and what the comparison says."""
    found = point.spreads[metric]
    middle, least, most = scale.of([found.median, found.min, found.max])
    hover = f"{drawn.label} {drawn.words(point.x)}: {significant(middle or 0.0)} {scale.unit}"
    if found.n > 1:
        hover += f"<br>{found.n} × {significant(least or 0.0)} … {significant(most or 0.0)}"
    verdict = point.verdicts.get(metric)
    if verdict:
        hover += f"<br>{kind_text(verdict.kind)}, {percent(verdict.effect.ratio)}"
    return hover


def _axis(
    metric: str, scale: Scale, place: int, panels: int, shown: Sequence[float | None]
) -> ChartFigure:
    height = (1 - GAP * (panels - 1)) / panels
    top = 1 - place * (height + GAP)
    more: dict[str, object] = {"rangemode": "tozero"}
    if METRICS[metric].scale == "log":
        more = {"type": "log", **charts.log_ticks(shown)}
    if metric == "utilisation":
        more = {"range": [0, 105]}
    name = _(METRICS[metric].label).replace(", ", ",<br>") + "<br>"
    domain = [max(0.0, round(top - height, 6)), round(top, 6)]
    return charts.axis(name, scale.unit, domain=domain, anchor="x", **more)


def _largest(drawn: Drawn, index: int) -> tuple[ChartFigure, ChartFigure] | None:
    """A line at the largest load that holds, with its value."""
    found = drawn.load(index)
    if found is None or found.largest not in drawn.xs:
        return None
    place, colour = drawn.xs.index(found.largest), charts.colour(index)
    where = {"xref": "x", "yref": "paper"}
    ends = {"x0": place, "x1": place, "y0": 0, "y1": 1, "line": {"color": colour, "width": 1.5}}
    text = _("holds up to {value}").format(value=drawn.words(found.largest))
    place_of_text = {"x": place, "y": 1, "xanchor": "left", "yanchor": "top", "yshift": -14 * index}
    annotation = {
        "text": text,
        "showarrow": False,
        "font": {"color": colour},
        **where,
        **place_of_text,
    }
    return {"type": "line", **where, **ends}, annotation


def _promise(value: float, scale: Scale, place: int) -> tuple[ChartFigure, ChartFigure]:
    height = scale.of([value])[0]
    where = {"xref": "paper", "yref": _y(place)}
    line = {"type": "line", "x0": 0, "x1": 1, "y0": height, "y1": height, **where}
    text = {"text": f"SLA {height:,.4g} {scale.unit}", "showarrow": False, **where}
    place_of_text = {"x": 1, "y": height, "xanchor": "right", "yanchor": "bottom"}
    return line | {"line": {"color": GREY, "dash": "dash", "width": 1.5}}, text | place_of_text


def _y(place: int) -> str:
    return "y" if place <= 0 else f"y{place + 1}"
