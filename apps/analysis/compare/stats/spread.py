"""Spread of the repeats of one configuration."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from statistics import fmean, median, stdev

from apps.analysis.compare.stats.samples import Values, clean

Extent = tuple[int, float | None, float | None, float | None]
"""The number of finite values, their median, the smallest and the largest."""


@dataclass(frozen=True)
class Spread:
    """Of the `n` finite values, in their own unit. None where there are too few to say.

    `cv`: standard deviation over mean (a share, not percent); `mad`: median distance from the
    median, unscaled; `low`, `high`: exact interval of at least 95 % for the median (order
    statistics), from 6 values on.
    """

    n: int
    median: float | None = None
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    cv: float | None = None
    mad: float | None = None
    low: float | None = None
    high: float | None = None


def spread(values: Values) -> Spread:
    """Figures of one side's repeats; only `n` = 0 if there are none."""
    kept = sorted(clean(values).tolist())
    if not kept:
        return Spread(0)
    middle, mean = median(kept), fmean(kept)
    low, high = _median_interval(kept)
    return Spread(
        n=len(kept),
        median=middle,
        min=kept[0],
        max=kept[-1],
        mean=mean,
        cv=stdev(kept) / mean if len(kept) > 1 and mean > 0 else None,
        mad=median(abs(value - middle) for value in kept) if len(kept) > 1 else None,
        low=low,
        high=high,
    )


def extent(values: Values) -> Extent:
    """What of `spread` costs least, for tables of many thousands of lines."""
    kept = sorted(clean(values).tolist())
    if not kept:
        return 0, None, None, None
    half = len(kept) // 2
    middle = kept[half] if len(kept) % 2 else (kept[half - 1] + kept[half]) / 2
    return len(kept), middle, kept[0], kept[-1]


def middle(values: Values) -> tuple[float | None, float | None, float | None]:
    """The median of the finite values with its exact interval, as `spread` has them."""
    kept = sorted(clean(values).tolist())
    return (median(kept), *_median_interval(kept)) if kept else (None, None, None)


def _median_interval(ordered: list[float]) -> tuple[float | None, float | None]:
    """Order statistics k and n + 1 - k, k the largest with P(Bin(n, 1/2) <= k - 1) <= 0.025."""
    n, within, left_out = len(ordered), 0, 0
    while (within := within + comb(n, left_out)) * 40 <= 2**n:
        left_out += 1
    if left_out == 0:
        return None, None
    return ordered[left_out - 1], ordered[n - left_out]
