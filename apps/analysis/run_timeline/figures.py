"""The chart of a run's course: time across, each result against the median of its test upright, a
colour for each tuning, and a box where a test runs now.
"""

from __future__ import annotations

from apps.analysis.run_timeline.selectors import RunTimeline, TimelinePoint, TimelineSpan
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure
from apps.common.domain.charts.change_axis import change_axis
from apps.tuning.domain.baseline import tuning_key

MAX_DOTS = 4000
"""Dots at most: more are not told apart on a screen."""
SPANS = ((3 * 3600.0, 3600.0, "h"), (180.0, 60.0, "min"), (0.0, 1.0, "s"))


def timeline_chart(course: RunTimeline, words: dict[str, str]) -> ChartFigure:
    """`words`: "time", "change", "now"."""
    dots = charts.pick_evenly(course.dots, MAX_DOTS)
    ends = [dot.seconds for dot in dots] + [box.end for box in course.boxes]
    factor, unit = next(found[1:] for found in SPANS if max(ends, default=0.0) >= found[0])
    names = {one.tuning for one in (*dots, *course.boxes)}
    places = {name: place for place, name in enumerate(sorted(names, key=tuning_key))}
    line, _text = charts.reference_line(1.0, "")
    boxes = [_box(box, places[box.tuning], factor) for box in course.boxes]
    layout = charts.layout(
        "",
        xaxis=charts.axis(words["time"], unit, rangemode="tozero"),
        yaxis=change_axis(words["change"], [dot.ratio for dot in dots]),
        shapes=[line, *boxes],
        annotations=[_now(box, words["now"], factor) for box in course.boxes[:1]],
        hovermode="closest",
    )
    data = [
        _dots([dot for dot in dots if dot.tuning == name], place, factor)
        for name, place in places.items()
    ]
    return {"data": data, "layout": layout, "shown": len(dots), "total": len(course.dots)}


def _dots(dots: list[TimelinePoint], place: int, factor: float) -> ChartFigure:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": charts.escape_text(dots[0].tuning) if dots else "",
        "showlegend": bool(dots),
        "x": [dot.seconds / factor for dot in dots],
        "y": [dot.ratio for dot in dots],
        "text": [charts.escape_text(dot.label) for dot in dots],
        "hoverinfo": "text",
        "marker": {"color": charts.colour(place), "symbol": charts.symbol(place), "size": 7},
    }


def _box(box: TimelineSpan, place: int, factor: float) -> ChartFigure:
    return {
        "type": "rect", "xref": "x", "x0": box.start / factor, "x1": box.end / factor,
        "yref": "paper", "y0": 0, "y1": 1, "fillcolor": charts.colour(place), "opacity": 0.2,
        "line": {"width": 0}, "layer": "below",
    }  # fmt: skip


def _now(box: TimelineSpan, word: str, factor: float) -> ChartFigure:
    return {
        "x": box.end / factor, "xanchor": "right", "yref": "paper", "y": 1, "yanchor": "top",
        "text": word, "hovertext": charts.escape_text(box.label), "showarrow": False,
    }  # fmt: skip
