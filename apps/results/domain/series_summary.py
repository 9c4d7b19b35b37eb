"""Least, mean, most and deviation of a series' intervals. Pure; stored with each series."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apps.tools.parse_result import Windows


class SeriesSummary(NamedTuple):
    """Of the intervals that have a value, `known` of them, each counted alike: the least, the
    mean, the most, and the standard deviation (with known - 1; 0 for one), in the metric's unit.
    These are columns of a series.
    """

    known: int
    minimum: float | None
    mean: float | None
    maximum: float | None
    stddev: float | None


NO_EXTENT = SeriesSummary(0, None, None, None, None)


def extent_of(values: NDArray[np.float32]) -> SeriesSummary:
    """The extent of these values, of which those count that are finite."""
    known = values[np.isfinite(values)].astype(np.float64)
    if not len(known):
        return NO_EXTENT
    stddev = float(known.std(ddof=1)) if len(known) > 1 else 0.0
    return SeriesSummary(
        len(known), float(known.min()), float(known.mean()), float(known.max()), stddev
    )


def extent_of_windows(found: Windows) -> SeriesSummary:
    """The extent of windows of which only the statistics are known."""
    return SeriesSummary(found.count, found.minimum, found.mean, found.maximum, found.stddev)
