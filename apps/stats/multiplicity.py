"""Correction for several comparisons, and the smallest p that a number of repeats allows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

import numpy as np

from apps.stats.null_distributions import ROUNDING, Floats
from apps.stats.repeats import RECOMMENDED_REPEATS

ALPHA = 0.05
ALPHA_WITH_ROUNDING = ALPHA * ROUNDING
"""Largest p that counts as at most ALPHA."""
_MAX_REPEATS = 1_000


@lru_cache(maxsize=4096)
def min_p(n_a: int, n_b: int) -> float:
    """Return the smallest two-sided p of n_a against n_b repeats.

    It is 1 with fewer than two repeats of a level: a verdict needs repeats. Integers are divided,
    because binomials of more than 1,000 repeats exceed a float.
    """
    if min(n_a, n_b) < 2:
        return 1.0
    return min(1.0, 2 / comb(n_a + n_b, n_a))


def is_reachable(floor: float, alpha: float, cells: int) -> bool:
    """Return True if `floor`, corrected for `cells` comparisons, is at most `alpha`."""
    return floor * cells <= alpha * ROUNDING


@lru_cache(maxsize=1024)
def repeats_recommended(alpha: float = ALPHA, cells: int = 1) -> int:
    """Return the repeats of each level to recommend for a test among `cells` comparisons.

    With so many repeats some data could reach `alpha`; 6 suffice for up to 23 comparisons at once.
    """
    minimum = next(n for n in range(2, _MAX_REPEATS) if is_reachable(min_p(n, n), alpha, cells))
    return max(RECOMMENDED_REPEATS, minimum)


def reachable(floors: Sequence[float] | Floats, alpha: float = ALPHA) -> list[bool]:
    """Return the mask of comparisons that the correction counts (Tarone 1990).

    A comparison that cannot reach the corrected level is not counted. The rule depends on the
    numbers of repeats alone, not on the data, so the error rate holds.
    """
    sorted_floors = np.asarray(floors, dtype=np.float64)
    if not len(sorted_floors):
        return []
    sizes = np.arange(1, len(sorted_floors) + 1)
    limits = alpha / sizes * ROUNDING
    within = np.searchsorted(np.sort(sorted_floors), limits, side="right")
    counted: list[bool] = (sorted_floors <= limits[np.argmax(within <= sizes)]).tolist()
    return counted
