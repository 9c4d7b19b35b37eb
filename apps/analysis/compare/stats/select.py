"""The k-th smallest of all differences between two samples, without listing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def kth_differences(a: Floats, b: Floats, places: Sequence[int]) -> list[float]:
    """The values at these places (from 0) of all b - a in ascending order: the threshold at which
    so many differences are not larger is halved until it is one number. Memory grows with the
    values, not with their pairs. Two infinities of one sign differ by 0, as in `log_ratio`.
    """
    finite_a, finite_b = a[np.isfinite(a)], b[np.isfinite(b)]
    lost_a, lost_b = len(a) - len(finite_a), len(b) - len(finite_b)
    below = lost_b * len(finite_a)
    above = lost_a * len(finite_b)
    finite_a.sort()
    finite_b.sort()
    zeros = lost_a * lost_b
    return [_one(finite_a, finite_b, place, below, above, zeros) for place in places]


def _one(a: Floats, b: Floats, place: int, below: int, above: int, zeros: int) -> float:
    """`below`, `above`: how many differences are minus and plus infinity; `zeros` more are 0."""
    if place < below:
        return -np.inf
    finite = len(a) * len(b) + zeros
    if place >= below + finite:
        return np.inf
    wanted = place - below + 1
    if _count(a, b, 0.0, "right") + zeros < wanted:
        return _halved(a, b, wanted - zeros, 0.0, float(b[-1] - a[0]))
    if _count(a, b, 0.0, "left") < wanted:
        return 0.0
    return _halved(a, b, wanted, float(b[0] - a[-1]) - 1.0, 0.0)


def _halved(a: Floats, b: Floats, wanted: int, low: float, high: float) -> float:
    """The smallest number that at least `wanted` differences do not exceed, between `low`, which
    fewer do not, and `high`, which enough do not.
    """
    while low < (middle := low + (high - low) / 2) < high:
        if _count(a, b, middle, "right") >= wanted:
            high = middle
        else:
            low = middle
    return high


def _count(a: Floats, b: Floats, threshold: float, side: Literal["left", "right"]) -> int:
    """How many of all b - a are at most the threshold ("right"), or below it ("left")."""
    return int(np.searchsorted(b, a + threshold, side=side).sum())
