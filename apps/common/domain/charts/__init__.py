"""Shared parts of charts: colours, axes with units, values as JSON.

Figures are plain dicts for `Plotly.react`. None sets a background, font or grid colour: the page's
light or dark theme does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.common.domain.preferences import Units, preferences

ChartFigure = dict[str, Any]

PALETTE = (
    *("#1f83d8", "#d55e00", "#0a9a74", "#ce7ea6", "#387594"),
    *("#cc33b2", "#4c99e6", "#f65570", "#3d5cf5", "#cc3333"),
)
"""Colours with a contrast of at least 2.9 to the light and the dark surface.

The smallest distance of two in OKLab, also in Machado's simulation of protanopia and
deuteranopia, is 0.07; the six colours of Okabe and Ito that are neither black nor yellow have 0.08.
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
    "1/s": ((1.0, gettext_noop("operations/s")),),
}

_DECIMAL = {"bytes/s": ((1.0, "B/s"), (1e3, "kB/s"), (1e6, "MB/s"))}


@dataclass(frozen=True)
class Scale:
    """Display scale: stored values divided by `factor`, in `unit`."""

    factor: float
    unit: str

    def of(self, values: Iterable[float | None]) -> list[float | None]:
        """Return the values in this unit; None for NaN and infinity, which JSON lacks."""
        return [
            value / self.factor if value is not None and math.isfinite(value) else None
            for value in values
        ]


def scale_for(unit: str, values: Iterable[float | None]) -> Scale:
    """Return the preferred unit in which the largest value has a digit before the point.

    `unit` is canonical (ns, bytes/s).
    """
    finite = [abs(value) for value in values if value is not None and math.isfinite(value)]
    largest = max(finite, default=0.0)
    shared = _STEPS.get(unit, ((1.0, unit),))
    is_decimal = preferences().units == Units.DECIMAL
    steps = _DECIMAL.get(unit, shared) if is_decimal else shared
    fitting = [step for step in steps if largest >= step[0]]
    return Scale(*(fitting[-1] if fitting else steps[0]))


def colour(index: int) -> str:
    """Return the colour of the trace at this index; the palette repeats with another dash."""
    return PALETTE[index % len(PALETTE)]


def dash(index: int) -> str:
    """Return the line style of the trace at this index, which differs for equal colours."""
    return DASHES[index // len(PALETTE) % len(DASHES)]


def symbol(index: int) -> str:
    """Return the marker of the trace at this index, so that colour is not the only distinction."""
    return SYMBOLS[index % len(SYMBOLS)]


def axis(label: str, unit: str = "", **more: Any) -> ChartFigure:
    """Return an axis with its unit in the title; `more` are Plotly axis attributes.

    IOPS are operations/s by their name.
    """
    named = unit and not ("IOPS" in label and unit == "operations/s")
    return {
        "title": {"text": f"{label} ({_(unit)})" if named else label.removesuffix("<br>")},
        "automargin": True,
        **more,
    }


def log_ticks(values: Iterable[float | None]) -> ChartFigure:
    """Return the ticks of a logarithmic axis: 1, 2, 5 per decade, or decades if there are many."""
    known = [value for value in values if value is not None and value > 0]
    if not known:
        return {}
    low, high = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    steps = (1, 2, 5) if high - low <= MAX_DECADES else (1,)
    ticks = [step * 10.0**power for power in range(low, high + 1) for step in steps]
    return {"tickmode": "array", "tickvals": ticks, "ticktext": [_written_out(t) for t in ticks]}


def _written_out(tick: float) -> str:
    """Return 0.00001, 0.5, 20 or 1,000,000."""
    text = f"{tick:,.15f}".rstrip("0").rstrip(".")
    return text or "0"


def layout(title: str, **more: Any) -> ChartFigure:
    """Return a layout without colours; `more` are Plotly layout attributes.

    The top margin fits a legend, and the title if there is one.
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
    """Return a dashed horizontal line at a value, behind the traces, and its label."""
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
    """Escape text for Plotly, which interprets some HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def pick_evenly(items: Sequence[Any], most: int) -> list[Any]:
    """Return at most `most` items, evenly spaced, including the first and the last."""
    if len(items) <= most:
        return list(items)
    return [items[round(i * (len(items) - 1) / (most - 1))] for i in range(most)]
