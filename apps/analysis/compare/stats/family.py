"""Reach of a number of repeats, and many comparisons read at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np

from apps.analysis.compare.stats.nulls import ROUNDING, Floats

ALPHA = 0.05
REACHED = ALPHA * ROUNDING
"""The largest p of one comparison that is within alpha."""
ASK_FOR = 6
"""Repeats a side we ask for, also where fewer could just do: 4 against 4 tells only if nothing
overlaps.
"""
_MOST = 1_000


@dataclass(frozen=True)
class Reach:
    """Whether any data could be significant. `floor` is the smallest two-sided p these numbers
    allow.

    `minimum`: repeats a side (blocks, if paired) from which some data could; `needed`: what to
    ask for.
    """

    too_few: bool
    floor: float
    minimum: int
    needed: int


@lru_cache(maxsize=4096)
def floor_p(n_a: int, n_b: int, *, paired: bool = False) -> float:
    """The smallest two-sided p that n_a against n_b repeats can give (paired: that n_a blocks can).

    Whole numbers are divided, as those of more than 1,000 repeats a side are larger than a float.
    A verdict needs repeats, so with fewer than two on a side it is 1, whatever the other side has.
    """
    if min(n_a, n_b) < 2:
        return 1.0
    return float(2.0 ** (1 - n_a)) if paired else min(1.0, 2 / comb(n_a + n_b, n_a))


def reaches(floor: float, alpha: float, cells: int) -> bool:
    """Whether `floor` is still within `alpha` after a correction for `cells` comparisons."""
    return floor * cells <= alpha * ROUNDING


@lru_cache(maxsize=1024)
def too_few(
    n_a: int, n_b: int, alpha: float = ALPHA, paired: bool = False, cells: int = 1
) -> Reach:
    """Whether any outcome could reach `alpha` with `cells` comparisons at once, and how many
    repeats it takes.

    3 against 3 never can (0.10); 6 against 6 can (0.0022, so for up to 23 comparisons at once).
    """
    floor = floor_p(n_a, n_b, paired=paired)
    minimum = next(
        n for n in range(2, _MOST) if reaches(floor_p(n, n, paired=paired), alpha, cells)
    )
    return Reach(not reaches(floor, alpha, cells), floor, minimum, max(ASK_FOR, minimum))


def within_reach(floors: Sequence[float] | Floats, alpha: float = ALPHA) -> list[bool]:
    """Mask of the comparisons that belong to the family: those that could still be shown after
    correcting for all of those.

    Tarone's (1990) rule: a comparison that can never reach the corrected level needs no
    correction paid for it. It looks at the numbers of repeats alone, never at the data, so the
    error rate stands.
    """
    known = np.asarray(floors, dtype=np.float64)
    if not len(known):
        return []
    sizes = np.arange(1, len(known) + 1)
    limits = alpha / sizes * ROUNDING
    within = np.searchsorted(np.sort(known), limits, side="right")
    found: list[bool] = (known <= limits[np.argmax(within <= sizes)]).tolist()
    return found
