"""Parts that every chart shares: colours, axes with units, values as JSON. Figures are plain dicts
for `Plotly.react`.

Nothing sets a background, a font or a grid colour: the page's theme does, light or dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from apps.common.domain.preferences import Units, preferences

ChartFigure = dict[str, Any]

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito's colours for all kinds of colour vision, without black and yellow (lost on a
theme).
"""
GREY = "#888888"
MAX_DECADES = 4
DASHES = ("solid", "dash", "dot", "dashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
CLEAR = "rgba(0,0,0,0)"

_STEPS = {
    "ns": ((1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")),
    "bytes/s": ((1.0, "B/s"), (2.0**10, "KiB/s"), (2.0**20, "MiB/s")),
    "network": ((125.0, "kbit/s"), (1.25e5, "Mbit/s"), (1.25e8, "Gbit/s")),
    "bytes": ((1.0, "B"), (2.0**10, "KiB"), (2.0**20, "MiB"), (2.0**30, "GiB")),
    "1/s": ((1.0, "operations/s"),),
}

_DECIMAL = {"bytes/s": ((1.0, "B/s"), (1e3, "kB/s"), (1e6, "MB/s"))}


@dataclass(frozen=True)
class Scale:
    """The scale on which stored values are drawn: divided by `factor`, in `unit`."""

    factor: float
    unit: str

    def of(self, values: Iterable[float | None]) -> list[float | None]:
        """Values in this unit; None where there is no finite one (JSON knows no NaN)."""
        return [
            value / self.factor if value is not None and math.isfinite(value) else None
            for value in values
        ]


def scale_for(unit: str, values: Iterable[float | None]) -> Scale:
    """The unit, as the reader prefers it, in which the largest value has at least one digit before
    the point. `unit` is canonical (ns, bytes/s).
    """
    finite = [abs(value) for value in values if value is not None and math.isfinite(value)]
    largest = max(finite, default=0.0)
    shared = _STEPS.get(unit, ((1.0, unit),))
    is_decimal = preferences().units == Units.DECIMAL
    steps = _DECIMAL.get(unit, shared) if is_decimal else shared
    fitting = [step for step in steps if largest >= step[0]]
    return Scale(*(fitting[-1] if fitting else steps[0]))


def colour(index: int) -> str:
    """The colour of the trace at this place; after the palette ends it starts again with another
    dash.
    """
    return PALETTE[index % len(PALETTE)]


def dash(index: int) -> str:
    """The line of the trace at this place: tells apart what has the same colour."""
    return DASHES[index // len(PALETTE) % len(DASHES)]


def symbol(index: int) -> str:
    """The marker of the trace at this place, so that colour alone never carries the meaning."""
    return SYMBOLS[index % len(SYMBOLS)]


def axis(label: str, unit: str = "", **more: Any) -> ChartFigure:
    """An axis titled with its unit in brackets; `more` are Plotly's own axis attributes."""
    return {"title": {"text": f"{label} ({unit})" if unit else label}, "automargin": True, **more}


def log_ticks(values: Iterable[float | None]) -> ChartFigure:
    """Ticks of a logarithmic axis over these values: 1, 2, 5 and their tenfolds, all written out;
    over many decades their powers alone.
    """
    known = [value for value in values if value is not None and value > 0]
    if not known:
        return {}
    low, high = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    steps = (1, 2, 5) if high - low <= MAX_DECADES else (1,)
    ticks = [step * 10.0**power for power in range(low, high + 1) for step in steps]
    return {"tickmode": "array", "tickvals": ticks, "ticktext": [_written_out(t) for t in ticks]}


def _written_out(tick: float) -> str:
    """0.00001, 0.5, 20, 1,000,000."""
    text = f"{tick:,.15f}".rstrip("0").rstrip(".")
    return text or "0"


def layout(title: str, **more: Any) -> ChartFigure:
    """A layout without colours of its own; `more` are Plotly's own layout attributes.

    Above the plot there is room for a legend, and for the title where there is one.
    """
    return {
        "title": {"text": title, "x": 0, "xanchor": "left", "xref": "paper"},
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "margin": {"l": 60, "r": 20, "t": 72 if title else 36, "b": 50},
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        **more,
    }


def reference_line(value: float | None, name: str) -> tuple[ChartFigure, ChartFigure]:
    """A dashed line across a chart at this height, behind what is drawn, and its name at the left
    end.
    """
    line = {"color": GREY, "dash": "dash", "width": 1.5}
    shape = {
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": value, "y1": value,
        "line": line, "layer": "below",
    }  # fmt: skip
    text = {
        "xref": "paper", "x": 0, "xanchor": "left", "y": value, "yanchor": "bottom",
        "text": escape_text(name), "showarrow": False,
    }  # fmt: skip
    return shape, text


def escape_text(text: str) -> str:
    """A text as Plotly shows it unchanged: it reads some HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def pick_evenly(items: Sequence[Any], most: int) -> list[Any]:
    """At most `most` items, evenly picked, the first and last among them."""
    if len(items) <= most:
        return list(items)
    return [items[round(i * (len(items) - 1) / (most - 1))] for i in range(most)]
