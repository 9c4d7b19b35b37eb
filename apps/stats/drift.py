"""Whether the order in which repeats ran explains what they show."""

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
"""Values up to which every order is counted; above, the normal approximation of Kendall's count."""


@dataclass(frozen=True)
class Drift:
    """Trend over the order of measurement. `tau` from -1 (always falling) to 1 (always rising),
    ties left out.

    `p`: two-sided, all orders equally likely; `drifts`: p is at most 0.05.
    """

    n: int
    tau: float
    p: float
    exact: bool
    drifts: bool


def drift(values_in_order: Values) -> Drift:
    """Mann (1945) and Kendall's trend test with its exact distribution, ties included."""
    found = clean(values_in_order)
    earlier, later = np.triu_indices(len(found), 1)
    falls = int((found[earlier] > found[later]).sum())
    rises = int((found[earlier] < found[later]).sum())
    kept = found.tolist()
    tau = (rises - falls) / (rises + falls) if rises + falls else 0.0
    exact = len(kept) <= EXACT_TREND
    p = _exact_p(kept, falls) if exact else _normal_p(len(kept), rises - falls)
    return Drift(len(kept), tau, p, exact, p <= ALPHA)


def drift_of_sides(
    a: Sequence[float], b: Sequence[float], order_a: Sequence[float], order_b: Sequence[float]
) -> Drift:
    """Return the trend over time of two sides, each divided by its own median.

    `order_*`: when each value was measured (any growing number, the same clock).
    """
    timed = [*zip(order_a, _levelled(a), strict=True), *zip(order_b, _levelled(b), strict=True)]
    return drift([value for _, value in sorted(timed, key=lambda pair: pair[0])])


def _levelled(values: Sequence[float]) -> list[float]:
    middle = median(values) if values else 0.0
    return [value / middle if middle else value for value in values]


def _exact_p(values: list[float], falls: int) -> float:
    """Falls of a random order: each group of equal values lands among the earlier ones as
    Mann-Whitney's U.
    """
    shares = _falls_shares(tuple(sorted(Counter(values).values())))
    lower, upper = float(shares[: falls + 1].sum()), float(shares[falls:].sum())
    return min(1.0, 2.0 * min(lower, upper))


@lru_cache(maxsize=256)
def _falls_shares(sizes: tuple[int, ...]) -> np.typing.NDArray[np.float64]:
    """The share of orders with so many falls, by how many values are equal."""
    shares, placed = np.ones(1), 0
    for size in sizes:
        shares, placed = np.convolve(shares, u_shares(placed, size)), placed + size
    return shares


def _normal_p(n: int, balance: int) -> float:
    sd = math.sqrt(n * (n - 1) * (2 * n + 5) / 18)
    return min(1.0, 2 * NormalDist().cdf(-max(0, abs(balance) - 1) / sd))
