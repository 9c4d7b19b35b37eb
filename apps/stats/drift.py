"""Trend of repeats over the order of measurement."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist, median

import numpy as np

from apps.stats.multiplicity import ALPHA
from apps.stats.null_distributions import u_shares
from apps.stats.samples import Values, clean

EXACT_TREND = 80
"""Number of values up to which p is exact; above, the normal approximation of Kendall's count."""


@dataclass(frozen=True)
class Drift:
    """Trend over the order of measurement.

    - `tau`: from -1 (always falling) to 1 (always rising), without ties.
    - `p`: two-sided, with all orders equally likely.
    - `drifts`: p is at most 0.05.
    """

    n: int
    tau: float
    p: float
    exact: bool
    drifts: bool


def drift(values_in_order: Values) -> Drift:
    """Test for a trend (Mann 1945; Kendall) with the exact distribution, ties included."""
    values = clean(values_in_order)
    earlier, later = np.triu_indices(len(values), 1)
    falls = int((values[earlier] > values[later]).sum())
    rises = int((values[earlier] < values[later]).sum())
    ordered = values.tolist()
    tau = (rises - falls) / (rises + falls) if rises + falls else 0.0
    exact = len(ordered) <= EXACT_TREND
    p = _exact_p(ordered, falls) if exact else _normal_p(len(ordered), rises - falls)
    return Drift(len(ordered), tau, p, exact, p <= ALPHA)


def drift_of_sides(
    a: Sequence[float], b: Sequence[float], order_a: Sequence[float], order_b: Sequence[float]
) -> Drift:
    """Return the trend over time of two sides, each divided by its own median.

    `order_*`: when each value was measured (any growing number, the same clock).
    """
    timed = [*zip(order_a, _levelled(a), strict=True), *zip(order_b, _levelled(b), strict=True)]
    return drift([value for _, value in sorted(timed, key=lambda pair: pair[0])])


def _levelled(values: Sequence[float]) -> list[float]:
    median_value = median(values) if values else 0.0
    return [value / median_value if median_value else value for value in values]


def _exact_p(values: list[float], falls: int) -> float:
    """Return the exact two-sided p of the number of falls.

    In a random order each group of equal values contributes the U of Mann and Whitney.
    """
    shares = _falls_shares(tuple(sorted(Counter(values).values())))
    lower, upper = float(shares[: falls + 1].sum()), float(shares[falls:].sum())
    return min(1.0, 2.0 * min(lower, upper))


@lru_cache(maxsize=256)
def _falls_shares(sizes: tuple[int, ...]) -> np.typing.NDArray[np.float64]:
    """Return the share of orders with each number of falls, by sizes of groups of equal values."""
    shares, placed = np.ones(1), 0
    for size in sizes:
        shares, placed = np.convolve(shares, u_shares(placed, size)), placed + size
    return shares


def _normal_p(n: int, balance: int) -> float:
    sd = math.sqrt(n * (n - 1) * (2 * n + 5) / 18)
    return min(1.0, 2 * NormalDist().cdf(-max(0, abs(balance) - 1) / sd))
