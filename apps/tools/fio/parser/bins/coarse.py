"""Coarse distribution from fio's latency tables, for results without a histogram.

The tables state the share of all reads, writes and trims of a job that completed in less than 2, 4,
10, 20 ... of a unit (io_u.c, io_u_mark_latency; completion latency). A bucket is up to 2.5 times as
wide as its lower bound. Only an upper bound of a percentile is known, so it is never listed among
the measured percentiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

from apps.tools.metrics import with_percentiles
from apps.tools.text import number
from apps.tools.values import Values

_UNITS = {"latency_ns": 1, "latency_us": 1000, "latency_ms": 1_000_000}
# Shares have two decimals in text, and a non-zero share is at least 0.01 %: percentiles beyond 99.9
# % are meaningless.
PERCENTILES = tuple(name for name in with_percentiles("90") if float(name) < 99.99)


def coarse(values: Values) -> Values:
    """Return the tables of a job as one distribution; empty without tables.

    `bounds`: ns, the last is null if open; `shares`: % between the previous bound and this one;
    `below`: upper bound in ns of each percentile.
    """
    rows = sorted(row for name, unit in _UNITS.items() for row in _rows(values.get(name), unit))
    total = sum(share for _, share in rows)
    if not total:
        return {}
    running = list(accumulate(share for _, share in rows))
    bounds = [bound if bound < float("inf") else None for bound, _ in rows]
    goals = {name: _target_share(name, total) for name in PERCENTILES}
    last = len(running) - 1
    indices = {
        name: next((i for i, share in enumerate(running) if share >= goal), last)
        for name, goal in goals.items()
    }
    return {
        "bounds": bounds,
        "shares": [share for _, share in rows],
        "below": {name: bounds[index] for name, index in indices.items()},
    }


def _target_share(name: str, total: float) -> float:
    # Allow for rounding errors in sums of shares.
    return float(name) / 100 * total * (1 - 1e-9)


def _rows(table: object, unit: int) -> list[tuple[float, float]]:
    """Return (bound in ns, share in percent) of one unit's table; ">=2000" is unbounded."""
    rows = []
    for name, share in table.items() if isinstance(table, Mapping) else ():
        value = float(number(share) or 0)
        if value <= 0:
            continue
        if str(name).startswith(">="):
            rows.append((float("inf"), value))
        elif str(name).isdecimal():
            rows.append((float(int(name) * unit), value))
    return rows
