"""Correction for several comparisons, and the smallest p that a number of repeats allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np

from apps.stats.null_distributions import ROUNDING, Floats
from apps.stats.repeats import RECOMMENDED_REPEATS

ALPHA = 0.05
ALPHA_WITH_ROUNDING = ALPHA * ROUNDING
"""Largest p that counts as at most ALPHA."""
_MAX_REPEATS = 1_000


@dataclass(frozen=True)
class Detectability:
    """Whether any data could show a difference.

    `floor`: smallest two-sided p that these numbers of repeats allow; `minimum`: repeats of each
    level (blocks, if paired) from which some data could; `needed`: repeats to recommend.
    """

    too_few: bool
    floor: float
    minimum: int
    needed: int


@lru_cache(maxsize=4096)
def min_p(n_a: int, n_b: int, *, paired: bool = False) -> float:
    """Return the smallest two-sided p of n_a against n_b repeats (paired: of n_a blocks).

    It is 1 with fewer than two repeats of a level: a verdict needs repeats. Integers are divided,
    because binomials of more than 1,000 repeats exceed a float.
    """
    if min(n_a, n_b) < 2:
        return 1.0
    return float(2.0 ** (1 - n_a)) if paired else min(1.0, 2 / comb(n_a + n_b, n_a))


def is_reachable(floor: float, alpha: float, cells: int) -> bool:
    """Return True if `floor`, corrected for `cells` comparisons, is at most `alpha`."""
    return floor * cells <= alpha * ROUNDING


@lru_cache(maxsize=1024)
def too_few_repeats(
    n_a: int, n_b: int, alpha: float = ALPHA, paired: bool = False, cells: int = 1
) -> Detectability:
    """Return whether any data could reach `alpha` among `cells` comparisons.

    3 against 3 cannot (0.10); 6 against 6 can (0.0022, for up to 23 comparisons at once).
    """
    floor = min_p(n_a, n_b, paired=paired)
    minimum = next(
        n for n in range(2, _MAX_REPEATS) if is_reachable(min_p(n, n, paired=paired), alpha, cells)
    )
    return Detectability(
        not is_reachable(floor, alpha, cells), floor, minimum, max(RECOMMENDED_REPEATS, minimum)
    )


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
