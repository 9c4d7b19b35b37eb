"""Bisection between the largest met and the smallest failed load. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import isqrt

MAX_POINTS = 16
"""Values of one search, with those it began with."""
CLOSE = 1.05
"""The ratio of two loads below which the search ends."""


def between(low: int, high: int) -> int | None:
    """Return the value to measure between the two; None if they are close enough."""
    if high - low <= 1 or high <= low * CLOSE:
        return None
    return isqrt(low * high) if high > 4 * low else (low + high) // 2


def max_added(values: Sequence[int]) -> int:
    """Return the maximum number of values that a search starting with these may add."""
    widest = max((_steps(low, high) for low, high in pairwise(sorted(set(values)))), default=0)
    return min(widest, max(0, MAX_POINTS - len(set(values))))


@cache
def _steps(low: int, high: int) -> int:
    middle = between(low, high)
    return 0 if middle is None else 1 + max(_steps(low, middle), _steps(middle, high))
