"""Charts of a comparison: what was measured, and how far the sides differ. Pure: data in, figure
dicts out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.analysis.compare.stats import Effect, Spread, spread
from apps.analysis.compare.stats.samples import Values
from apps.analysis.compare.verdict import Kind
from apps.common import charts
from apps.common.charts import ChartFigure, Scale
from apps.common.downsample import MOST

LONGEST_LABEL, LEAST_OF_A_TEST = 48, 24  # characters beside a chart
_LOOKS: Mapping[Kind, tuple[str, str]] = {
    Kind.BETTER: (charts.PALETTE[0], "triangle-right"),
    Kind.WORSE: (charts.PALETTE[1], "triangle-left"),
    Kind.NO_DIFFERENCE: (charts.GREY, "circle"),
    Kind.TOO_FEW: (charts.GREY, "circle-open"),
    Kind.NOT_COMPARABLE: (charts.GREY, "x"),
}


@dataclass(frozen=True)
class Bar:
    """Repeats of one workload at one level of the factor (one tuning, one host), in the metric's
    canonical unit.
    """

    workload: str
    level: str
    values: Values


@dataclass(frozen=True)
class Row:
    """One comparison of a forest plot: the effect of the second side over the first. `test` says
    what was measured, `about` where, at which level, by which metric.
    """

    test: str
    effect: Effect
    kind: Kind
    about: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return " · ".join((self.test, *self.about))

    @property
    def short(self) -> str:
        """A label that leaves room for what it labels: the test's words are cut, never what follows
        them."""
        most = max(LEAST_OF_A_TEST, LONGEST_LABEL - len(" · ".join(("", *self.about))))
        test = self.test if len(self.test) <= most else f"{self.test[: most - 1]}…"
        return " · ".join((test, *self.about))


def bars_with_intervals(bars: Sequence[Bar], *, title: str, label: str, unit: str) -> ChartFigure:
    """Medians by workload, a bar a level; every repeat as a dot, and the exact 95 % interval of
    the median.

    The interval is there from 6 repeats on. `label` and `unit` are the metric's (canonical unit).
    """
    scale = charts.scale_for(unit, [value for bar in bars for value in bar.values])
    levels = list(dict.fromkeys(bar.level for bar in bars))
    data = []
    for index, level in enumerate(levels):
        mine = [bar for bar in bars if bar.level == level]
        data += [_bar_trace(mine, level, index, scale), _dots(mine, level, index, scale)]
    shape = charts.layout(
        title,
        barmode="group",
        scattermode="group",
        scattergap=0.2,
        bargap=0.2,
        xaxis=charts.axis("", type="category"),
        yaxis=charts.axis(label, scale.unit, rangemode="tozero"),
    )
    return {"data": data, "layout": shape}


def _bar_trace(bars: list[Bar], level: str, index: int, scale: Scale) -> ChartFigure:
    spreads = [spread(bar.values) for bar in bars]
    up = [_arm(s, s.high) for s in spreads]
    down = [_arm(s, s.low) for s in spreads]
    return {
        "type": "bar",
        "name": level,
        "legendgroup": level,
        "offsetgroup": level,
        "x": [bar.workload for bar in bars],
        "y": scale.of([s.median for s in spreads]),
        "marker": {"color": charts.colour(index), "opacity": 0.35},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "color": charts.colour(index),
            "array": scale.of(up),
            "arrayminus": scale.of(down),
        },
    }


def _arm(figures: Spread, end: float | None) -> float | None:
    if end is None or figures.median is None:
        return None
    return abs(end - figures.median)


def _dots(bars: list[Bar], level: str, index: int, scale: Scale) -> ChartFigure:
    points = [(bar.workload, value) for bar in bars for value in scale.of(bar.values)]
    shown = charts.thin([point for point in points if point[1] is not None], MOST)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": level,
        "legendgroup": level,
        "offsetgroup": level,
        "showlegend": False,
        "x": [workload for workload, _ in shown],
        "y": [value for _, value in shown],
        "marker": {"color": charts.colour(index), "symbol": charts.symbol(index), "size": 6},
        "meta": {"shown": len(shown), "total": len(points)},
    }


def ratio_forest(
    rows: Sequence[Row], *, title: str, label: str, names: Mapping[Kind, str] | None = None
) -> ChartFigure:
    """Ratios with their 95 % intervals, first row on top, and a line at 1; the axis is
    logarithmic.

    `label` says which over which ("tuned / default"); `names` translates the kinds of verdict.
    Rows whose ratio is not a figure above zero cannot be drawn; the layout's `meta` says how many
    of how many are shown.
    """
    drawn = [row for row in rows if row.effect.ratio is not None and row.effect.ratio > 0][:MOST]
    kinds = [kind for kind in _LOOKS if any(row.kind == kind for row in drawn)]
    data = [_forest_trace([r for r in drawn if r.kind == k], k, names or {}) for k in kinds]
    order = {row.label: row.short for row in drawn}
    vertical = charts.axis(
        "", type="category", categoryorder="array", categoryarray=list(order),
        autorange="reversed", tickvals=list(order), ticktext=list(order.values()),
    )  # fmt: skip
    shape = charts.layout(
        title,
        height=150 + 26 * len(order),
        xaxis=charts.axis(label, "ratio", type="log"),
        yaxis=vertical,
        shapes=[_line_at_one()],
        meta={"shown": len(drawn), "total": len(rows)},
    )
    return {"data": data, "layout": shape}


def _forest_trace(rows: list[Row], kind: Kind, names: Mapping[Kind, str]) -> ChartFigure:
    colour, symbol = _LOOKS[kind]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": names.get(kind, kind.value),
        "x": [row.effect.ratio for row in rows],
        "y": [row.label for row in rows],
        "marker": {"color": colour, "symbol": symbol, "size": 9},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "color": colour,
            "array": [_reach(row.effect.ratio, row.effect.high) for row in rows],
            "arrayminus": [_reach(row.effect.ratio, _positive(row.effect.low)) for row in rows],
        },
    }


def _positive(low: float | None) -> float | None:
    """A logarithmic axis has no place for an interval that ends at zero."""
    return low if low else None


def _reach(ratio: float | None, end: float | None) -> float | None:
    return None if ratio is None or end is None else abs(end - ratio)


def _line_at_one() -> ChartFigure:
    line = {"color": charts.GREY, "width": 1, "dash": "dash"}
    return {"type": "line", "x0": 1, "x1": 1, "yref": "paper", "y0": 0, "y1": 1, "line": line}
