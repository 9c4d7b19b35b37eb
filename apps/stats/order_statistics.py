"""k-th smallest of all differences between two samples, or of all Walsh averages of one.

Bisection of the threshold needs memory for the values, not for their pairs. Values are finite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from apps.stats.null_distributions import Floats

Side = Literal["left", "right"]
Count = Callable[[float, Side], int]
"""Number of values up to a threshold ("right"), or below it ("left")."""


def kth_differences(a: Floats, b: Floats, indexes: Sequence[int]) -> list[float]:
    """Return the order statistics of all b - a with these indexes (from 0)."""
    a, b = np.sort(a), np.sort(b)

    def count(threshold: float, side: Side) -> int:
        return int(np.searchsorted(b, a + threshold, side).sum())

    return [_kth(count, index + 1, b[0] - a[-1], b[-1] - a[0]) for index in indexes]


def counts_of_differences(a: Floats, b: Floats) -> tuple[int, int]:
    """Return how many b - a are below zero, and how many at most zero."""
    b = np.sort(b)
    return int(np.searchsorted(b, a, "left").sum()), int(np.searchsorted(b, a, "right").sum())


def kth_averages(values: Floats, indexes: Sequence[int]) -> list[float]:
    """Return the order statistics of all Walsh averages with these indexes (from 0)."""
    ordered = np.sort(values)

    def count(threshold: float, side: Side) -> int:
        pairs = int(np.searchsorted(ordered, 2 * threshold - ordered, side).sum())
        return (pairs + int(np.searchsorted(ordered, threshold, side))) // 2

    return [_kth(count, index + 1, ordered[0], ordered[-1]) for index in indexes]


def _kth(count: Count, rank: int, smallest: float, largest: float) -> float:
    """Test zero first: its exact value decides on which side of 1 a ratio lies."""
    if count(0.0, "right") < rank:
        return _halved(count, rank, 0.0, float(largest))
    if count(0.0, "left") < rank:
        return 0.0
    return _halved(count, rank, float(smallest) - 1.0, 0.0)


def _halved(count: Count, rank: int, low: float, high: float) -> float:
    """Bisect for the smallest threshold with a count of at least `rank`."""
    while low < (midpoint := low + (high - low) / 2) < high:
        if count(midpoint, "right") >= rank:
            high = midpoint
        else:
            low = midpoint
    return high
