"""Chart of steady-state rounds: the tracked metric, the measurement window, and both criteria."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.analysis.steady_state.selectors import Track
from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure
from apps.stats.steady_state import MAX_RANGE
from apps.tools.metrics import METRICS as TABLE


def rounds_chart(track: Track, text: dict[str, str]) -> ChartFigure:
    """Return the chart of a track; over the window its average, permitted range and linear fit.

    The band is half of the permitted range on either side. `text`: "round", "value", "average",
    "band", "fit".
    """
    metric = TABLE[track.metric]
    scale = charts.scale_for(metric.unit, track.values)
    rounds = list(range(1, len(track.values) + 1))
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": text["value"],
            "x": rounds,
            "y": scale.of(track.values),
            "line": {"color": charts.colour(0)},
        },
        *_window(track, scale, text),
    ]
    across = charts.axis(text["round"], dtick=1 if len(rounds) <= MAX_TICKS else 5)
    upright = charts.axis(_(metric.label), scale.unit, rangemode="tozero")
    return {"data": data, "layout": charts.layout("", xaxis=across, yaxis=upright)}


MAX_TICKS = 30


def _window(track: Track, scale: charts.Scale, text: dict[str, str]) -> list[ChartFigure]:
    window = track.window
    if window is None:
        return []
    ends, half = [window.first, window.last], window.average * MAX_RANGE / 2
    low, high = scale.of([window.average - half] * 2), scale.of([window.average + half] * 2)
    band: ChartFigure = {
        "type": "scatter",
        "mode": "lines",
        "name": text["band"],
        "x": [*ends, *reversed(ends), ends[0]],
        "y": [*low, *high, low[0]],
        "fill": "toself",
        "line": {"color": charts.GREY, "width": 0.5},
        "hoverinfo": "skip",
        "opacity": 0.6,
    }
    return [
        band,
        _line(ends, scale.of([window.average] * 2), text["average"], 2, "dash"),
        _line(ends, scale.of([window.fitted_first, window.fitted_last]), text["fit"], 1, "solid"),
    ]


def _line(x: list[int], y: list[float | None], name: str, colour: int, dash: str) -> ChartFigure:
    line = {"color": charts.colour(colour), "dash": dash}
    return {"type": "scatter", "mode": "lines", "name": name, "x": x, "y": y, "line": line}
