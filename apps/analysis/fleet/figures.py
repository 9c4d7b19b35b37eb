"""Chart of a fleet: every target by rank with the range of its repeats. Pure."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.analysis.fleet.result import Fleet, RankedTarget
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure, Scale
from apps.tools.metrics import METRICS, shown_unit

MAX_TICKS = 24
MAX_NAMED = 8
"""Limit of outliers with a name on the chart; the table names all."""


def ranking_chart(fleet: Fleet, *, metric: str, across: str, network: bool = False) -> ChartFigure:
    """Return targets from best to worst, a colour per group. `across`: title of the rank axis."""
    highest = [max(one.target.values) for one in fleet.targets]
    scale = charts.scale_for(shown_unit(metric, network=network), highest)
    ranks = {id(one): rank for rank, one in enumerate(fleet.targets, 1)}
    names = [group.name for group in fleet.groups]
    data = [
        _dots(name, index, [one for one in fleet.targets if one.target.group == name], ranks, scale)
        for index, name in enumerate(names)
    ]
    shape = charts.layout(
        "",
        hovermode="closest",
        showlegend=len(names) > 1,
        xaxis=charts.axis(across, zeroline=False, tick0=1, **_rank_axis(len(fleet.targets))),
        yaxis=charts.axis(_(METRICS[metric].label), scale.unit, rangemode="tozero"),
        annotations=[
            _outlier_label(one, ranks[id(one)], scale, left=2 * ranks[id(one)] > len(fleet.targets))
            for one in fleet.outliers[:MAX_NAMED]
        ],
    )
    return {"data": data, "layout": shape}


def _rank_axis(ranks: int) -> ChartFigure:
    """Return an axis of whole ranks; up to MAX_TICKS have a tick each."""
    few = {"dtick": 1} if ranks <= MAX_TICKS else {}
    return {"range": [0.5, ranks + 0.5], **few}


def _dots(
    name: str, index: int, rows: list[RankedTarget], ranks: dict[int, int], scale: Scale
) -> ChartFigure:
    medians = [one.target.median for one in rows]
    above = [max(one.target.values) - one.target.median for one in rows]
    below = [one.target.median - min(one.target.values) for one in rows]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name or _("unknown"),
        "x": [ranks[id(one)] for one in rows],
        "y": scale.of(medians),
        "text": [one.target.name for one in rows],
        "customdata": [one.target.case for one in rows],
        "error_y": {
            "type": "data", "symmetric": False, "array": scale.of(above),
            "arrayminus": scale.of(below), "width": 0, "thickness": 1,
        },
        "marker": {
            "color": charts.colour(index),
            "symbol": [
                f"{charts.symbol(index)}-open" if one.is_outlier else charts.symbol(index)
                for one in rows
            ],
            "size": [11 if one.is_outlier else 6 for one in rows],
        },
    }  # fmt: skip


def _outlier_label(one: RankedTarget, rank: int, scale: Scale, *, left: bool) -> ChartFigure:
    """Return a name, placed towards the middle of the chart."""
    low = (one.ratio or 1) < 1
    return {
        "x": rank, "y": scale.of([one.target.median])[0], "text": one.target.name,
        "ax": -24 if left else 24, "ay": 30 if low else -30,
        "xanchor": "right" if left else "left", "arrowhead": 0, "arrowwidth": 1,
    }  # fmt: skip
