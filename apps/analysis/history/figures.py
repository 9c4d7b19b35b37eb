"""Chart of a history. Pure.

Every repeat is a dot, the medians of runs a line within a band, each change point an arrow, and
each configuration change a numbered line.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.analysis.history.readings import ConfigChange, HistoryPoint
from apps.analysis.history.result import History, Level, top_levels
from apps.analysis.history.segments import ChangePoint, Segment
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure, Scale
from apps.common.domain.charts.change_axis import change_words
from apps.common.domain.preferences import drawn
from apps.tools.metrics import METRICS, shown_unit

MAX_BANDED_LEVELS = 4
"""Limit of levels with bands; more would overlap."""
MAX_ARROWS = 40
MAX_LEVELS = 24
"""Limit of levels with a line: as many as have distinct colours and dashes.

A workload of a whole lab has a thousand levels, which a browser renders in minutes; the others are
grey dots.
"""
MAX_DOTS = 1_500
"""Limit of dots per level; the API returns all."""


def history_chart(history: History, *, metric: str, network: bool = False) -> ChartFigure:
    """Return the chart. `network`: show the rate in Gbit/s."""
    scale = charts.scale_for(
        shown_unit(metric, network=network), [reading.value for reading in history.readings]
    )
    own = top_levels(history.levels, MAX_LEVELS)
    named = {level.label for level in own}
    others = [level for level in history.levels if level.label not in named]
    dots = [_dots(level, index, scale) for index, level in enumerate(own)]
    lines = [_runs(level, index, scale) for index, level in enumerate(own)]
    data = [trace for pair in zip(dots, lines, strict=True) for trace in pair]
    if others:
        data.insert(0, _other_levels_trace(others, scale))
    shape = charts.layout(
        "",
        hovermode="closest",
        xaxis=charts.axis("", type="date"),
        yaxis=charts.axis(_(METRICS[metric].label), scale.unit, rangemode="tozero"),
        shapes=[
            *_bands(history.levels, scale),
            *(_line(timestamp) for timestamp, _numbers in timestamps(history.marks)),
        ],
        annotations=[
            *(_number(timestamp, numbers) for timestamp, numbers in timestamps(history.marks)),
            *_change_arrows(history.change_points, own, scale),
        ],
    )
    shape["margin"]["t"] = 60
    return {
        "data": data,
        "layout": shape,
        "shown": sum(len(trace["x"]) for trace in dots),
        "total": sum(len(level.readings) for level in history.levels),
    }


def _other_levels_trace(levels: Sequence[Level], scale: Scale) -> ChartFigure:
    """Return the medians of runs of the other levels, with hover texts."""
    points = [(point, level.label) for level in levels for point in level.runs]
    shown = charts.pick_evenly(sorted(points, key=lambda pair: pair[0].at), MAX_DOTS)
    name = ngettext("{number} other", "{number} others", len(levels))
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name.format(number=f"{len(levels):,}"),
        "x": [drawn(point.at) for point, _level in shown],
        "y": scale.of([point.value for point, _level in shown]),
        "text": [f"{charts.escape_text(level)} #{point.run}" for point, level in shown],
        "marker": {"color": charts.GREY, "size": 4, "opacity": 0.4},
    }


def timestamps(marks: Sequence[ConfigChange]) -> list[tuple[datetime, str]]:
    """Return the times of the changes with their numbers in the list: "3", of several "3-5"."""
    numbers: dict[datetime, list[int]] = {}
    for number, mark in enumerate(marks, 1):
        numbers.setdefault(mark.at, []).append(number)
    return [
        (timestamp, str(own[0]) if len(own) == 1 else f"{own[0]}-{own[-1]}")
        for timestamp, own in numbers.items()
    ]


def _dots(level: Level, index: int, scale: Scale) -> ChartFigure:
    shown: list[HistoryPoint] = charts.pick_evenly(level.readings, MAX_DOTS)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": level.label,
        "legendgroup": level.label,
        "showlegend": False,
        "x": [drawn(reading.at) for reading in shown],
        "y": scale.of([reading.value for reading in shown]),
        "customdata": [reading.case for reading in shown],
        "marker": {
            "color": charts.colour(index),
            "symbol": [_symbol(reading, index) for reading in shown],
            "size": 5,
            "opacity": 0.35,
        },
    }


def _symbol(reading: HistoryPoint, index: int) -> str:
    """Return an open symbol if only the time of import is known."""
    return charts.symbol(index) if reading.timed else f"{charts.symbol(index)}-open"


def _runs(level: Level, index: int, scale: Scale) -> ChartFigure:
    shown = charts.pick_evenly(level.runs, MAX_DOTS)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": level.label,
        "legendgroup": level.label,
        "x": [drawn(point.at) for point in shown],
        "y": scale.of([point.value for point in shown]),
        "text": [f"#{point.run}" for point in shown],
        "line": {"color": charts.colour(index), "dash": charts.dash(index), "width": 1.5},
        "marker": {"symbol": charts.symbol(index), "size": 6},
    }


def _line(timestamp: datetime) -> ChartFigure:
    ends = {"x0": drawn(timestamp), "x1": drawn(timestamp), "y0": 0, "y1": 1}
    line = {"color": charts.GREY, "dash": "dot", "width": 1.5}
    return {"type": "line", "xref": "x", "yref": "paper", "line": line, **ends}


def _number(timestamp: datetime, text: str) -> ChartFigure:
    return {
        "x": drawn(timestamp), "xref": "x", "y": 0, "yref": "paper", "text": text,
        "showarrow": False, "xanchor": "left", "yanchor": "bottom", "font": {"size": 11},
    }  # fmt: skip


def _bands(levels: Sequence[Level], scale: Scale) -> list[ChartFigure]:
    """Return the band and the median of each segment, behind all other traces."""
    if len(levels) > MAX_BANDED_LEVELS:
        return []
    return [
        shape
        for index, level in enumerate(levels)
        for segment in level.segments
        if segment.runs > 2
        for shape in _band(segment, charts.colour(index), scale)
    ]


def _band(segment: Segment, colour: str, scale: Scale) -> list[ChartFigure]:
    low, median, high = scale.of([segment.low, segment.median, segment.high])
    ends = {"x0": drawn(segment.first.at), "x1": drawn(segment.last.at), "xref": "x"}
    both = {"yref": "y", "layer": "below", **ends}
    return [
        {"type": "rect", "y0": low, "y1": high, "fillcolor": colour, "opacity": 0.1,
         "line": {"width": 0}, **both},
        {"type": "line", "y0": median, "y1": median, "opacity": 0.6,
         "line": {"color": colour, "width": 3}, **both},
    ]  # fmt: skip


def _change_arrows(
    points: Sequence[ChangePoint], levels: Sequence[Level], scale: Scale
) -> list[ChartFigure]:
    """Return arrows of the newest changes of levels with a line."""
    index_of = {level.label: index for index, level in enumerate(levels)}
    own = [point for point in points if point.level in index_of]
    return [_arrow(point, index_of[point.level], scale) for point in own[-MAX_ARROWS:]]


def _arrow(point: ChangePoint, index: int, scale: Scale) -> ChartFigure:
    """Return an arrow from above to the first median after a change, with its ratio."""
    return {
        "x": drawn(point.at), "y": scale.of([point.after.median])[0], "ax": -40, "ay": -36,
        "text": change_words(round(point.ratio, 2)), "font": {"color": charts.colour(index)},
        "arrowcolor": charts.colour(index), "arrowhead": 2, "arrowwidth": 1.5,
    }  # fmt: skip
