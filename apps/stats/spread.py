"""Spread of the repeats of one level."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from statistics import fmean, median, stdev

from apps.stats.samples import Values, clean

NORMAL_MAD = 1.4826
"""Standard deviations of normal noise per median absolute deviation."""
Extent = tuple[int, float | None, float | None, float | None]
"""Number of finite values, median, minimum, maximum."""


@dataclass(frozen=True)
class Spread:
    """Statistics of `n` finite values in their unit; None if there are too few values.

    `cv`: standard deviation over mean, a share; `low`, `high`: exact interval of at least 95 % for
    the median (order statistics), from 6 values on.
    """

    n: int
    median: float | None = None
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    cv: float | None = None
    low: float | None = None
    high: float | None = None


def spread(values: Values) -> Spread:
    """Return the spread of the values; `n` = 0 if none is finite."""
    ordered = sorted(clean(values).tolist())
    if not ordered:
        return Spread(0)
    median_value, mean = median(ordered), fmean(ordered)
    low, high = _median_interval(ordered)
    return Spread(
        n=len(ordered),
        median=median_value,
        min=ordered[0],
        max=ordered[-1],
        mean=mean,
        cv=stdev(ordered) / mean if len(ordered) > 1 and mean > 0 else None,
        low=low,
        high=high,
    )


def extent(values: Values) -> Extent:
    """Return the cheap part of `spread`, for tables of thousands of rows."""
    ordered = sorted(clean(values).tolist())
    if not ordered:
        return 0, None, None, None
    half = len(ordered) // 2
    median_value = ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
    return len(ordered), median_value, ordered[0], ordered[-1]


def median_and_interval(values: Values) -> tuple[float | None, float | None, float | None]:
    """Return the median of the finite values and its exact interval, as `spread` does."""
    ordered = sorted(clean(values).tolist())
    return (median(ordered), *_median_interval(ordered)) if ordered else (None, None, None)


def _median_interval(ordered: list[float]) -> tuple[float | None, float | None]:
    """Return order statistics k and n + 1 - k, k the largest with P(Bin(n, 1/2) < k) <= 0.025."""
    n, within, excluded = len(ordered), 0, 0
    while (within := within + comb(n, excluded)) * 40 <= 2**n:
        excluded += 1
    if excluded == 0:
        return None, None
    return ordered[excluded - 1], ordered[n - excluded]
