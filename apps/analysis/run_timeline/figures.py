"""Chart of a run's timeline: each result relative to the median of its test, by tuning.

Running tests are boxes.
"""

from __future__ import annotations

from apps.analysis.run_timeline.selectors import RunTimeline, TimelinePoint, TimelineSpan
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure
from apps.common.domain.charts.change_axis import change_axis
from apps.tuning.domain.baseline import tuning_key

MAX_DOTS = 4000
"""Limit of dots; more are not distinguishable."""
SPANS = ((3 * 3600.0, 3600.0, "h"), (180.0, 60.0, "min"), (0.0, 1.0, "s"))


def timeline_chart(timeline: RunTimeline, text: dict[str, str]) -> ChartFigure:
    """Return the chart. `text`: "time", "change", "now"."""
    dots = charts.pick_evenly(timeline.dots, MAX_DOTS)
    ends = [dot.seconds for dot in dots] + [box.end for box in timeline.boxes]
    factor, unit = next(result[1:] for result in SPANS if max(ends, default=0.0) >= result[0])
    names = {one.tuning for one in (*dots, *timeline.boxes)}
    indices = {name: index for index, name in enumerate(sorted(names, key=tuning_key))}
    line, _text = charts.reference_line(1.0, "")
    boxes = [_box(box, indices[box.tuning], factor) for box in timeline.boxes]
    layout = charts.layout(
        "",
        xaxis=charts.axis(text["time"], unit, rangemode="tozero"),
        yaxis=change_axis(text["change"], [dot.ratio for dot in dots]),
        shapes=[line, *boxes],
        annotations=[_now_label(box, text["now"], factor) for box in timeline.boxes[:1]],
        hovermode="closest",
    )
    data = [
        _dots([dot for dot in dots if dot.tuning == name], index, factor)
        for name, index in indices.items()
    ]
    return {"data": data, "layout": layout, "shown": len(dots), "total": len(timeline.dots)}


def _dots(dots: list[TimelinePoint], index: int, factor: float) -> ChartFigure:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": charts.escape_text(dots[0].tuning) if dots else "",
        "showlegend": bool(dots),
        "x": [dot.seconds / factor for dot in dots],
        "y": [dot.ratio for dot in dots],
        "text": [charts.escape_text(dot.label) for dot in dots],
        "hoverinfo": "text",
        "marker": {"color": charts.colour(index), "symbol": charts.symbol(index), "size": 7},
    }


def _box(box: TimelineSpan, index: int, factor: float) -> ChartFigure:
    return {
        "type": "rect", "xref": "x", "x0": box.start / factor, "x1": box.end / factor,
        "yref": "paper", "y0": 0, "y1": 1, "fillcolor": charts.colour(index), "opacity": 0.2,
        "line": {"width": 0}, "layer": "below",
    }  # fmt: skip


def _now_label(box: TimelineSpan, word: str, factor: float) -> ChartFigure:
    return {
        "x": box.end / factor, "xanchor": "right", "yref": "paper", "y": 1, "yanchor": "top",
        "text": word, "hovertext": charts.escape_text(box.label), "showarrow": False,
    }  # fmt: skip
