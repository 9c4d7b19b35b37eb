"""Welch's studentised difference of two levels inside blocks, in addition to the exact rank test.

The rank test is exact if both levels have equal spreads, and invalid otherwise. The studentised
difference (Welch 1947; Janssen 1997; Chung and Romano 2013) is valid for unequal spreads. A verdict
uses the larger p of both; its interval is the hull of both intervals. Outliers are first clipped at
CLIP deviations of their own level.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.stats.designs import Design, Shape, Spending
from apps.stats.null_distributions import ROUNDING, Flags, Floats, Ints
from apps.stats.spread import NORMAL_MAD

CLIP = 4.0
MIN_CLIPPED = 6
"""Minimum number of values of a level for clipping, so that the deviation is accurate enough."""


@dataclass(frozen=True)
class Studentised:
    """Difference of b and a, its standard error and Welch's degrees of freedom, by row.

    `spending`: alpha spending of this look.
    """

    difference: Floats
    error: Floats
    freedom: Floats
    spending: Spending

    def p_values(self) -> Floats:
        """Return two-sided p; 0 (no objection) for infinite logarithms or without any variance."""
        from scipy.special import stdtr  # half a second to load

        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(self.difference) / self.error
        p = self.spending.p(2 * stdtr(self.freedom, -t))
        return np.where(np.isfinite(t), p, np.where(self.difference == 0, 1.0, 0.0))

    def ends(self, levels: Floats) -> tuple[Floats, Floats]:
        """Return the interval of 1 - level of each row; NaN if there is none."""
        from scipy.special import stdtrit

        with np.errstate(invalid="ignore"):
            level = self.spending.level(levels * ROUNDING)
            reach = -stdtrit(self.freedom, level / 2) * self.error
        reach = np.where(self.error == 0, 0.0, reach)
        return self.difference - reach, self.difference + reach


def studentised(design: Design, a: Floats, b: Floats) -> Studentised | None:
    """Return the studentised difference of logarithms without drift.

    None for a design without spread inside its blocks.
    """
    sizes_a, sizes_b = (np.array(side, dtype=np.int64) for side in zip(*design.shape, strict=True))
    free_a, free_b = int((sizes_a - 1).sum()), int((sizes_b - 1).sum())
    if design.test == "pairs" or not free_a or not free_b:
        return None
    finite: Flags = np.all(np.isfinite(a), axis=1) & np.all(np.isfinite(b), axis=1)
    a, b = np.where(finite[:, None], a, 0.0), np.where(finite[:, None], b, 0.0)
    if min(a.shape[1], b.shape[1]) >= MIN_CLIPPED:
        a, b = _clipped(a, b, sizes_a, sizes_b)
    weight = sizes_a * sizes_b / (sizes_a + sizes_b)
    weight = weight / weight.sum()
    mean_a, spread_a = _spread(a, sizes_a)
    mean_b, spread_b = _spread(b, sizes_b)
    spread_a = spread_a * (weight**2 / sizes_a).sum()
    spread_b = spread_b * (weight**2 / sizes_b).sum()
    both = spread_a + spread_b
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = both**2 / (spread_a**2 / free_a + spread_b**2 / free_b)
    difference = np.where(finite, ((mean_b - mean_a) * weight).sum(axis=1), np.nan)
    return Studentised(difference, np.sqrt(both), freedom, design.spending)


def _spread(values: Floats, sizes: Ints) -> tuple[Floats, Floats]:
    """Return the mean of each block, and the variance inside the blocks."""
    starts = np.cumsum([0, *sizes[:-1]])
    means = np.add.reduceat(values, starts, axis=1) / sizes
    distances = values - np.repeat(means, sizes, axis=1)
    result: Floats = (distances**2).sum(axis=1) / (sizes - 1).sum()
    return means, result


def _clipped(a: Floats, b: Floats, sizes_a: Ints, sizes_b: Ints) -> tuple[Floats, Floats]:
    """Return both levels with clipped outliers; a shift of one level has no other effect."""
    flat_a, flat_b = _levelled(a, b, sizes_a, sizes_b)
    return _clip_values(a, flat_a), _clip_values(b, flat_b)


def remove_block_means(shape: Shape, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return both levels centred at zero, without block effects."""
    sizes_a, sizes_b = (np.array(side, dtype=np.int64) for side in zip(*shape, strict=True))
    return _levelled(a, b, sizes_a, sizes_b)


def _levelled(a: Floats, b: Floats, sizes_a: Ints, sizes_b: Ints) -> tuple[Floats, Floats]:
    a = a - np.median(a, axis=1, keepdims=True)
    b = b - np.median(b, axis=1, keepdims=True)
    ends_a, ends_b = np.cumsum(sizes_a)[:-1], np.cumsum(sizes_b)[:-1]
    blocks = zip(np.split(a, ends_a, axis=1), np.split(b, ends_b, axis=1), strict=True)
    levels = np.stack([np.median(np.concatenate(both, axis=1), axis=1) for both in blocks], axis=1)
    a, b = a - np.repeat(levels, sizes_a, axis=1), b - np.repeat(levels, sizes_b, axis=1)
    return a - np.median(a, axis=1, keepdims=True), b - np.median(b, axis=1, keepdims=True)


def _clip_values(values: Floats, distances: Floats) -> Floats:
    limit = CLIP * NORMAL_MAD * np.median(np.abs(distances), axis=1, keepdims=True)
    limit = np.where(limit > 0, limit, np.inf)
    result: Floats = values - (distances - np.clip(distances, -limit, limit))
    return result
