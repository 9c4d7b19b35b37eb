"""fio's latency tables as a coarse distribution, for results that come without a histogram.

The tables say which share of all reads, writes and trims of a job completed in less than 2, 4, 10,
20 ... of a unit (io_u.c, io_u_mark_latency; completion latency). A bucket is up to two and a half
times as wide as it begins, so a percentile is known only by the bound that it lies below: it never
stands among the measured percentiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

from apps.tools.metrics import with_percentiles
from apps.tools.text import number
from apps.tools.values import Values

_UNITS = {"latency_ns": 1, "latency_us": 1000, "latency_ms": 1_000_000}
# The shares have two decimals in text, and what is there at all is at least 0.01 %: beyond 99.9 %
# they say nothing.
PERCENTILES = tuple(name for name in with_percentiles("90") if float(name) < 99.99)


def coarse(values: Values) -> Values:
    """The tables among a job's values in one: `bounds` (ns; the last is null where it is open),
    `shares` (% below each bound and not below the one before), and `below`: the bound in ns under
    which each percentile lies. Empty where there is no table.
    """
    rows = sorted(row for name, unit in _UNITS.items() for row in _rows(values.get(name), unit))
    total = sum(share for _, share in rows)
    if not total:
        return {}
    running = list(accumulate(share for _, share in rows))
    bounds = [bound if bound < float("inf") else None for bound, _ in rows]
    goals = {name: _goal(name, total) for name in PERCENTILES}
    last = len(running) - 1
    places = {
        name: next((at for at, share in enumerate(running) if share >= goal), last)
        for name, goal in goals.items()
    }
    return {
        "bounds": bounds,
        "shares": [share for _, share in rows],
        "below": {name: bounds[place] for name, place in places.items()},
    }


def _goal(name: str, total: float) -> float:
    # Sums of shares are off in the last digits.
    return float(name) / 100 * total * (1 - 1e-9)


def _rows(table: object, unit: int) -> list[tuple[float, float]]:
    """(bound in ns, share in percent) of one unit's table; ">=2000" has no bound."""
    found = []
    for name, share in table.items() if isinstance(table, Mapping) else ():
        known = float(number(share) or 0)
        if known <= 0:
            continue
        if str(name).startswith(">="):
            found.append((float("inf"), known))
        elif str(name).isdecimal():
            found.append((float(int(name) * unit), known))
    return found
