"""Summaries of series: count, minimum, mean, maximum, deviation, time without progress."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apps.tools.parse_result import Windows


class SeriesSummary(NamedTuple):
    """Summary of the intervals with a value, equally weighted, in the metric's unit.

    `stddev` is the sample standard deviation (n - 1); 0 for one value. The fields are columns of a
    series.
    """

    value_count: int
    minimum: float | None
    mean: float | None
    maximum: float | None
    stddev: float | None


EMPTY_SUMMARY = SeriesSummary(0, None, None, None, None)


def summary_of(values: NDArray[np.float32]) -> SeriesSummary:
    """Return the summary of the finite values."""
    known = values[np.isfinite(values)].astype(np.float64)
    if not len(known):
        return EMPTY_SUMMARY
    stddev = float(known.std(ddof=1)) if len(known) > 1 else 0.0
    return SeriesSummary(
        len(known), float(known.min()), float(known.mean()), float(known.max()), stddev
    )


def stalled_seconds(values: NDArray[np.float32], interval: float) -> float | None:
    """Return the seconds in intervals whose rate is 0.

    None without intervals, or if an interval has no value: fio's logs leave out idle windows and
    lost windows alike.
    """
    if not len(values) or not np.isfinite(values).all():
        return None
    return int(np.count_nonzero(values == 0)) * interval


def summary_of_windows(result: Windows) -> SeriesSummary:
    """Return the summary of windows of which only statistics are known."""
    return SeriesSummary(result.count, result.minimum, result.mean, result.maximum, result.stddev)
