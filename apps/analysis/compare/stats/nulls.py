"""Null distributions: how often chance alone leaves so few differences on one side of zero, by how
a pair of sides was measured.

Mann and Whitney's U counts the pairs of two repeats in which the second side is smaller, the signed
rank the averages of two blocks' ratios below zero. Both have a distribution that depends on the
numbers of repeats only, counted here by the shift algorithm (Streitberg and Roehmel 1986). U's of
blocks add up, so those of several blocks are convolved (van Elteren 1960, every pair of repeats
with the same weight).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce
from math import erfc, floor, sqrt
from statistics import NormalDist
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

AFFORDABLE = 3e7
"""Additions up to which a distribution is counted (some 30 ms); above it is a normal one."""
EXACT_SIGNED_RANK = 100
"""Blocks up to which the signed-rank distribution is counted."""
ROUNDING = 1 + 1e-12


class Null(Protocol):
    """Of a number of differences that point against the rest, when nothing differs."""

    @property
    def exact(self) -> bool:
        """Whether it was counted."""

    def two_sided(self, against: Ints) -> Floats:
        """p for each number of differences on the smaller side of zero, those at zero with it."""

    def critical(self, level: float) -> int:
        """Number of differences that an interval of 1 - level leaves out at each end: as many as
        may be against, with one more, before p is above the level.
        """

    def criticals(self, levels: Floats) -> Ints:
        """The same of each level."""


@dataclass(frozen=True)
class Counted:
    """`p[u]`: two-sided p of `u` differences, ascending."""

    p: Floats
    exact: bool = True

    def two_sided(self, against: Ints) -> Floats:
        found: Floats = self.p[against]
        return found

    def critical(self, level: float) -> int:
        return int(np.searchsorted(self.p, level * ROUNDING, side="right"))

    def criticals(self, levels: Floats) -> Ints:
        return np.searchsorted(self.p, levels * ROUNDING, side="right")


@dataclass(frozen=True)
class Normal:
    """With the exact mean and deviation and a continuity correction of half a step: within 3 % of
    the counted p at 0.05 from 20 values a side on, larger than it in the tails. `share`: how much
    of the permitted error may be spent.
    """

    mean: float
    deviation: float
    share: float = 1.0
    exact: bool = False

    def two_sided(self, against: Ints) -> Floats:
        away = np.maximum(0.0, self.mean - against - 0.5) / (self.deviation * sqrt(2))
        return np.array([min(1.0, erfc(one) / self.share) for one in np.ravel(away)])

    def critical(self, level: float) -> int:
        at = NormalDist().inv_cdf(level * self.share / 2) * self.deviation
        return max(0, floor(self.mean + at + 0.5))

    def criticals(self, levels: Floats) -> Ints:
        found, of = np.unique(levels, return_inverse=True)
        return np.array([self.critical(level) for level in found.tolist()], dtype=np.int64)[of]


def counted(shares: Floats) -> Counted:
    """From the share of each number of differences: twice the lower tail, at most 1."""
    return Counted(np.minimum(1.0, 2 * np.cumsum(shares)))


@lru_cache(maxsize=256)
def u_shares(n_a: int, n_b: int) -> Floats:
    """The share of all orders of n_a and n_b values in which so many pairs are turned round."""
    fewer, total = min(n_a, n_b), n_a + n_b
    size = n_a * n_b
    table = np.zeros((fewer + 1, size + 1))
    table[0, 0] = 1.0
    for value in range(total):
        # The value's place beyond the places of the chosen ones below it is what U counts.
        for picked in range(min(fewer, value + 1), 0, -1):
            beyond = value - picked + 1
            if beyond <= size:
                table[picked, beyond:] += table[picked - 1, : size + 1 - beyond]
        table /= table.max()  # so that long sides do not overflow
    shares: Floats = table[fewer] / table[fewer].sum()
    return shares


@lru_cache(maxsize=256)
def block_shares(shape: tuple[tuple[int, int], ...]) -> Floats:
    """The same added over blocks of these numbers of both sides."""
    return reduce(np.convolve, (u_shares(*block) for block in shape))


def countable(n_a: int, n_b: int) -> bool:
    """Whether `u_shares` is affordable."""
    return float(n_a + n_b) * min(n_a, n_b) * n_a * n_b <= AFFORDABLE


def rank_sum_normal(n_a: int, n_b: int) -> Normal:
    return Normal(n_a * n_b / 2, sqrt(n_a * n_b * (n_a + n_b + 1) / 12))


@lru_cache(maxsize=256)
def signed_rank_null(blocks: int) -> Null:
    """Of the averages of every two of so many blocks' ratios."""
    if blocks > EXACT_SIGNED_RANK:
        variance = blocks * (blocks + 1) * (2 * blocks + 1) / 24
        return Normal(blocks * (blocks + 1) / 4, sqrt(variance))
    table = np.zeros(blocks * (blocks + 1) // 2 + 1)
    table[0] = 1.0
    for rank in range(1, blocks + 1):
        table[rank:] += table[:-rank].copy()
    return counted(table / table.sum())
