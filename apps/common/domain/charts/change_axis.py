"""Logarithmic axis of ratios, labelled as changes: −50 % … 0 % … +100 %."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

from apps.common.domain import charts
from apps.common.domain.charts import ChartFigure

MOST_TICKS = 7
_LEAST_REACH = math.log(1.05)  # minimum range of the axis, so that noise stays small
_PADDING = 0.06  # share of the axis beyond the outermost value
_WIDE = 8  # ratio of range above which even steps crowd at the right end
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)
_LEAST_GAP = 0.12  # minimum share of the axis between two labels


def change_axis(label: str, ratios: Iterable[float | None]) -> ChartFigure:
    """Return a Plotly axis over these ratios and 1; ratios not above zero are ignored."""
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
    """Return at most seven ratios from `low` to `high`, 1 included, that are whole percentages.

    Equal steps for a narrow range, 1-2-5 for a wide one, powers of ten beyond that.
    """
    even = (_even(step, low, high) for step in _STEPS) if high / low <= _WIDE else ()
    for ladder in itertools.chain(even, _powers(low, high)):
        result = [ratio for ratio in ladder if low <= ratio <= high]
        if len(result) <= MOST_TICKS and _is_readable(result, low, high):
            break
    return result


def _is_readable(ticks: Sequence[float], low: float, high: float) -> bool:
    """Return True if no two labels overlap."""
    least = _LEAST_GAP * math.log(high / low)
    return all(math.log(b / a) >= least for a, b in itertools.pairwise(ticks))


def change_words(ratio: float) -> str:
    """Return a ratio as its change: "−50 %", "0 %", "+100 %".

    Small ratios get as many digits as distinguish them from −100 %.
    """
    change = round((ratio - 1) * 100, 10)
    sign = "+" if change > 0 else "−" if change < 0 else ""
    return f"{sign}{abs(change):,.10g} %"


def _ends(ratios: Iterable[float | None]) -> tuple[float, float]:
    logs = [math.log(r) for r in ratios if r is not None and 0 < r < math.inf]
    low, high = min([*logs, -_LEAST_REACH]), max([*logs, _LEAST_REACH])
    padding = (high - low) * _PADDING
    return math.exp(low - padding), math.exp(high + padding)


def _even(step: float, low: float, high: float) -> list[float]:
    """Return the ratios one step apart."""
    first, last = math.ceil((low - 1) / step), math.floor((high - 1) / step)
    return [round(1 + k * step, 10) for k in range(first, last + 1)]


def _powers(low: float, high: float) -> Iterator[list[float]]:
    """Yield 1-2-5, then powers of ten, with ever wider steps; each contains 1."""
    ends = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    yield [round(m * 10.0**p, 12) for p in ends for m in (1, 2, 5)]
    for step in itertools.count(1):
        yield [10.0**p for p in ends if p % step == 0]
