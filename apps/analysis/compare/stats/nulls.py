"""Exact null distributions of the two rank statistics, by counting arrangements.

Both are the shift algorithm of Streitberg and Roehmel (1986): a table of how many arrangements
give each sum, built one rank at a time. It counts what enumeration counts, ties included, without
listing the arrangements. Ranks are doubled so that the middle ranks of ties are whole numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erfc, gcd
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

EXACT_RANK_SUM = 80
"""Values of both sides together up to which the rank-sum distribution is counted exactly (30 ms
there).
"""
EXACT_SIGNED_RANK = 100
"""Blocks up to which the signed-rank distribution is counted exactly."""
NORMAL_SIDE = 20
"""Values on the smaller side from which the normal distribution stands in for counting."""
NORMAL_TIES = 0.05
"""Largest share of ties, sum(t^3 - t) / (n^3 - n), at which it does: one value that most repeats
have makes the sum skewed.
"""
DRAWS = 19_999
SEED = 20_111
_CHUNK = 1_000


@dataclass(frozen=True)
class Null:
    """`lower[s]` is P(sum <= s) and `upper[s]` P(sum >= s) for every possible sum, when nothing
    differs.
    """

    lower: npt.NDArray[np.float64]
    upper: npt.NDArray[np.float64]

    def two_sided(self, observed: int) -> float:
        """Twice the smaller tail, at most 1: the p-value that belongs to an equal-tailed
        interval.
        """
        return min(1.0, 2.0 * float(min(self.lower[observed], self.upper[observed])))

    def two_sided_many(self, observed: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The same for several sums."""
        smaller = np.minimum(self.lower[observed], self.upper[observed])
        return np.minimum(1.0, 2.0 * smaller)

    def critical(self, tail: float) -> int:
        """How many of the smallest sums together stay within `tail`: 0 if not even the smallest
        does.
        """
        return int(np.searchsorted(self.lower, tail * (1 + 1e-12), side="right"))


def doubled_ranks(values: Sequence[float]) -> list[int]:
    """Twice the rank of each value, ties sharing their middle rank."""
    ordered = sorted(values)
    rank = {v: bisect_left(ordered, v) + bisect_right(ordered, v) + 1 for v in set(ordered)}
    return [rank[value] for value in values]


def _null(counts: npt.NDArray[np.float64]) -> Null:
    share = counts / counts.sum()
    return Null(np.cumsum(share), np.cumsum(share[::-1])[::-1])


@lru_cache(maxsize=256)
def rank_sum_null(doubled: tuple[int, ...], picked: int) -> Null:
    """Sum of `picked` of these doubled ranks when every choice is equally likely."""
    largest = sum(sorted(doubled)[len(doubled) - picked :])
    table = np.zeros((picked + 1, largest + 1))
    table[0, 0] = 1.0
    for rank in doubled:
        table[1:, rank:] += table[:-1, : largest + 1 - rank].copy()
    return _null(table[picked])


@lru_cache(maxsize=256)
def signed_rank_null(doubled: tuple[int, ...]) -> Null:
    """Sum of the doubled ranks with a plus sign when every sign is a fair coin."""
    table = np.zeros(sum(doubled) + 1)
    table[0] = 1.0
    for rank in doubled:
        table[rank:] += table[:-rank].copy()
    return _null(table)


@lru_cache(maxsize=256)
def rank_sum_critical(n_a: int, n_b: int, tail: float) -> int:
    """How many pairwise differences to leave out at each end: the largest k with P(U <= k - 1) <=
    tail.

    Above `EXACT_RANK_SUM` the normal approximation of U, which is right to a fraction of a count
    there.
    """
    if n_a + n_b > EXACT_RANK_SUM:
        sd = (n_a * n_b * (n_a + n_b + 1) / 12) ** 0.5
        return _normal_critical(n_a * n_b / 2, sd, tail)
    null = rank_sum_null(tuple(range(1, n_a + n_b + 1)), n_b)
    return max(0, null.critical(tail) - n_b * (n_b + 1) // 2)


@lru_cache(maxsize=256)
def signed_rank_critical(n: int, tail: float) -> int:
    """How many Walsh averages to leave out at each end: largest k with P(T <= k - 1) <= tail."""
    if n > EXACT_SIGNED_RANK:
        sd = (n * (n + 1) * (2 * n + 1) / 24) ** 0.5
        return _normal_critical(n * (n + 1) / 4, sd, tail)
    return signed_rank_null(tuple(range(1, n + 1))).critical(tail)


def _normal_critical(mean: float, sd: float, tail: float) -> int:
    return max(0, int(mean + NormalDist().inv_cdf(tail) * sd + 0.5))


def rank_sum_normal(doubled: Sequence[int], picked: int, observed: int) -> float:
    """Two-sided p from the normal distribution with the exact variance of the sum, ties included,
    and a continuity correction of half a step (Mann and Whitney 1947; Lehmann 1975, 1.3).

    Where `normal_will_do`, this is 0.98 to 1.03 times the counted p at 0.05 and larger than that in
    the tails, so nothing is called different that is not (40 against 40, 20 against 60).
    """
    ranks = np.asarray(doubled, dtype=np.float64)
    n = len(ranks)
    mean = float(ranks.mean())
    spread = float(((ranks - mean) ** 2).sum()) * picked * (n - picked) / (n * (n - 1))
    step = gcd(*np.diff(np.unique(ranks)).astype(int).tolist())
    away = max(0.0, abs(observed - picked * mean) - max(1.0, step / 2))
    return erfc(away / (2 * spread) ** 0.5) if spread else 1.0


def normal_will_do(doubled: Sequence[int], picked: int) -> bool:
    """Whether both sides are long enough, and ties few enough, for `rank_sum_normal`."""
    return min(picked, len(doubled) - picked) >= NORMAL_SIDE and few_ties(doubled)


def few_ties(doubled: Sequence[int]) -> bool:
    """Whether no value is so frequent that a normal distribution would not fit."""
    n = len(doubled)
    return sum(count**3 - count for count in Counter(doubled).values()) <= NORMAL_TIES * (n**3 - n)


def signed_rank_normal(doubled: Sequence[int], observed: int) -> float:
    """Two-sided p from the normal distribution with the exact variance, ties included, and a
    continuity correction of half a step.

    Above `EXACT_SIGNED_RANK` blocks with few ties this is 0.99 to 1.03 times the counted p at 0.05
    and larger than it in the tails.
    """
    ranks = np.asarray(doubled, dtype=np.float64)
    away = max(0.0, abs(observed - float(ranks.sum()) / 2) - gcd(*doubled) / 2)
    return erfc(2 * away / (2 * float((ranks**2).sum())) ** 0.5)


def rank_sum_monte_carlo(doubled: Sequence[int], picked: int, observed: int) -> float:
    """Two-sided p from `DRAWS` random choices with a fixed seed, the observed one counted in:
    never zero. A choice is drawn as how many of each distinct rank it holds.
    """
    rng = np.random.default_rng(SEED)
    ranks, counts = np.unique(np.asarray(doubled, dtype=np.int64), return_counts=True)
    sums = [
        rng.multivariate_hypergeometric(counts, picked, size=size, method="marginals") @ ranks
        for size in _chunks()
    ]
    return _two_sided_share(np.concatenate(sums), observed)


def signed_rank_monte_carlo(doubled: Sequence[int], observed: int) -> float:
    """Two-sided p from `DRAWS` random signs with a fixed seed, the observed ones counted in:
    never zero.
    """
    rng = np.random.default_rng(SEED)
    ranks = np.asarray(doubled, dtype=np.int64)
    sums = [rng.integers(0, 2, size=(size, len(ranks))) @ ranks for size in _chunks()]
    return _two_sided_share(np.concatenate(sums), observed)


def _chunks() -> list[int]:
    return [min(_CHUNK, DRAWS - start) for start in range(0, DRAWS, _CHUNK)]


def _two_sided_share(sums: npt.NDArray[np.int64], observed: int) -> float:
    low, high = int((sums <= observed).sum()), int((sums >= observed).sum())
    return min(1.0, 2.0 * (1 + min(low, high)) / (1 + DRAWS))
