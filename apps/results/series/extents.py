"""Least, mean, most and deviation of a series' intervals. Pure; stored with each series."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.tools.base import Windows


@dataclass(frozen=True)
class Extent:
    """Of the intervals that have a value, `count` of them, each counted alike: the least, the
    mean, the most, and the standard deviation (with count - 1; 0 for one), in the metric's unit.
    """

    count: int
    minimum: float
    mean: float
    maximum: float
    squares: float = 0.0  # the sum of squared distances from the mean

    @property
    def stddev(self) -> float:
        return math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else 0.0


def extent_of(values: NDArray[np.float32]) -> Extent | None:
    """The extent of these values; None where none is finite."""
    known = values[np.isfinite(values)].astype(np.float64)
    if not len(known):
        return None
    mean = float(known.mean())
    squares = float(((known - mean) ** 2).sum())
    return Extent(len(known), float(known.min()), mean, float(known.max()), squares)


def extent_of_windows(found: Windows) -> Extent:
    """The extent of windows of which only the statistics are known."""
    squares = found.stddev**2 * (found.count - 1)
    return Extent(found.count, found.minimum, found.mean, found.maximum, squares)


def columns_of_extent(found: Extent | None) -> tuple[int, *tuple[float | None, ...]]:
    """The values of a series' columns from `known` on."""
    if found is None:
        return 0, None, None, None, None
    return found.count, found.minimum, found.mean, found.maximum, found.stddev
