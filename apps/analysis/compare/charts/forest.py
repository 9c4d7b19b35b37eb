"""Forest plot of a comparison: each change with its interval, below its workload's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.analysis.compare.charts.headed_rows import (
    HeadedLine,
    heading,
    height,
    row_positions,
    vertical,
)
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure
from apps.common.domain.charts.change_axis import change_axis
from apps.common.domain.charts.downsample import MAX_POINTS
from apps.common.domain.verdicts import VerdictKind
from apps.stats.effect import Effect

_MARKERS: Mapping[VerdictKind, tuple[str, str]] = {
    VerdictKind.BETTER: (charts.PALETTE[0], "circle"),
    VerdictKind.WORSE: (charts.PALETTE[1], "x"),
    VerdictKind.NO_DIFFERENCE: (charts.GREY, "diamond"),
    VerdictKind.TOO_FEW_REPEATS: (charts.GREY, "circle-open"),
    VerdictKind.NOT_COMPARABLE: (charts.GREY, "square-open"),
}


@dataclass(frozen=True)
class ForestRow:
    """Effect of a level over the baseline.

    `workload` names workload and target, `label` the metric (and the level if there are several).
    """

    workload: str
    label: str
    effect: Effect
    kind: VerdictKind


def ratio_forest(
    rows: Sequence[ForestRow], *, label: str, names: Mapping[VerdictKind, str] | None = None
) -> ChartFigure:
    """Return ratios with their 95 % intervals, first row on top, and a line at no change.

    The axis is logarithmic and labelled in percent. `label` is the axis title; `names` translates
    verdicts. Ratios that are not positive are omitted; the layout's `meta` counts shown and total
    rows.
    """
    drawable = _drawable(rows)
    lines, headings = row_positions(drawable, lambda row: row.workload)
    kinds = [kind for kind in _MARKERS if any(row.kind == kind for row in drawable)]
    data = [_trace([at for at in lines if at.row.kind == k], k, names or {}) for k in kinds]
    ends = [end for row in drawable for end in (row.effect.ratio, row.effect.low, row.effect.high)]
    shape = charts.layout(
        "",
        height=forest_height(rows),
        hovermode="closest",
        xaxis=change_axis(label, ends),
        yaxis=vertical(len(lines) + len(headings), [(at.position, at.row.label) for at in lines]),
        shapes=[_line_at_one()],
        annotations=[heading(text, position) for text, position in headings],
        meta={"shown": len(drawable), "total": len(rows)},
    )
    return {"data": data, "layout": shape}


def forest_height(rows: Sequence[ForestRow]) -> int:
    """Return the pixels of the forest plot."""
    return height(*row_positions(_drawable(rows), lambda row: row.workload))


def _drawable(rows: Sequence[ForestRow]) -> list[ForestRow]:
    return [row for row in rows if row.effect.ratio is not None and row.effect.ratio > 0][
        :MAX_POINTS
    ]


def _trace(
    lines: list[HeadedLine[ForestRow]], kind: VerdictKind, names: Mapping[VerdictKind, str]
) -> ChartFigure:
    colour, symbol = _MARKERS[kind]
    effects = [line.row.effect for line in lines]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": names.get(kind, kind.value),
        "x": [effect.ratio for effect in effects],
        "y": [line.position for line in lines],
        "text": [f"{line.row.workload} · {line.row.label}" for line in lines],
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {"color": colour, "symbol": symbol, "size": 9},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "color": colour,
            "array": [_error_length(effect.ratio, effect.high) for effect in effects],
            "arrayminus": [
                _error_length(effect.ratio, _none_if_zero(effect.low)) for effect in effects
            ],
        },
    }


def _none_if_zero(low: float | None) -> float | None:
    """Return None for zero, which a logarithmic axis cannot show."""
    return low if low else None


def _error_length(ratio: float | None, end: float | None) -> float | None:
    return None if ratio is None or end is None else abs(end - ratio)


def _line_at_one() -> ChartFigure:
    line = {"color": charts.GREY, "width": 1, "dash": "dash"}
    return {"type": "line", "x0": 1, "x1": 1, "yref": "paper", "y0": 0, "y1": 1, "line": line}
