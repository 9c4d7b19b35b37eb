"""A logarithmic axis of ratios that is read as changes: −50 % … 0 % … +100 %."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure

MOST_TICKS = 7
_LEAST_REACH = math.log(1.05)  # an axis never shows less than 5 % either way: noise stays small
_ROOM = 0.06  # of the axis, beyond the outermost figure
_WIDE = 8  # highest over lowest ratio, above which even steps crowd at the right end
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)
_LEAST_GAP = 0.12  # of the axis, between two ticks: their words stand beside each other


def change_axis(label: str, ratios: Iterable[float | None]) -> ChartFigure:
    """A Plotly axis over these ratios, 1 among them; what is not above zero is left out."""
    low, high = _ends(ratios)
    ticks = change_ticks(low, high)
    return charts.axis(
        label,
        type="log",
        range=[math.log10(low), math.log10(high)],
        tickvals=ticks,
        ticktext=[change_words(ratio) for ratio in ticks],
        tickangle=0,
    )


def change_ticks(low: float, high: float) -> list[float]:
    """At most seven ratios from `low` to `high`, 1 among them, that are whole changes in per cent.

    Equal steps where the range is narrow, 1-2-5 where it is wide, powers of ten beyond that.
    """
    even = (_even(step, low, high) for step in _STEPS) if high / low <= _WIDE else ()
    for ladder in itertools.chain(even, _powers(low, high)):
        found = [ratio for ratio in ladder if low <= ratio <= high]
        if len(found) <= MOST_TICKS and _is_readable(found, low, high):
            break
    return found


def _is_readable(ticks: Sequence[float], low: float, high: float) -> bool:
    """Whether no two ticks are so close that their words meet."""
    least = _LEAST_GAP * math.log(high / low)
    return all(math.log(b / a) >= least for a, b in itertools.pairwise(ticks))


def change_words(ratio: float) -> str:
    """A ratio as its change: "−50 %", "0 %", "+100 %"; as many digits as tell it from −100 %."""
    change = round((ratio - 1) * 100, 10)
    sign = "+" if change > 0 else "−" if change < 0 else ""
    return f"{sign}{abs(change):,.10g} %"


def _ends(ratios: Iterable[float | None]) -> tuple[float, float]:
    logs = [math.log(r) for r in ratios if r is not None and 0 < r < math.inf]
    low, high = min([*logs, -_LEAST_REACH]), max([*logs, _LEAST_REACH])
    room = (high - low) * _ROOM
    return math.exp(low - room), math.exp(high + room)


def _even(step: float, low: float, high: float) -> list[float]:
    """Ratios one step apart."""
    first, last = math.ceil((low - 1) / step), math.floor((high - 1) / step)
    return [round(1 + k * step, 10) for k in range(first, last + 1)]


def _powers(low: float, high: float) -> Iterator[list[float]]:
    """1-2-5, then powers of ten, each ladder with wider steps than the one before; 1 in all."""
    ends = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    yield [round(m * 10.0**p, 12) for p in ends for m in (1, 2, 5)]
    for step in itertools.count(1):
        yield [10.0**p for p in ends if p % step == 0]
