"""Interim analyses: test the same comparison again after blocks are added.

Each look spends a share of alpha (Lan and DeMets 1983). The order of tunings is randomised in each
block, so the U statistics of blocks are independent, and the probability that their sum crosses a
border first at a given look is counted exactly. The interval at each look inverts the test
(repeated confidence intervals; Jennison and Turnbull 1989). All intervals together have the stated
coverage under every stopping rule.
"""

from __future__ import annotations

from functools import lru_cache
from math import e, log1p

import numpy as np

from apps.stats.null_distributions import ROUNDING, ExactNull, Floats, Ints, u_shares

Looks = tuple[tuple[int, float], ...]
"""Pairs of a number of blocks and the share of alpha spent by then."""
FIRST_LOOK_SHARE = 0.8
"""Share of alpha that the planned end of a run spends. Repeats added later spend the rest."""
ALPHA_LEVELS = np.exp(np.linspace(0.0, np.log(1e-8), 370))
"""Levels of the borders. p is rounded up to the next level, by at most 5 %."""


def alpha_spent(done: int, limit: int) -> float:
    """Return the share of alpha spent after `done` of at most `limit` blocks.

    Pocock's spending function (Pocock 1977; Lan and DeMets 1983) spends about as much at each
    look, because most such runs end early.
    """
    return log1p((e - 1) * min(1.0, done / limit))


@lru_cache(maxsize=512)
def interim_null(shape: tuple[tuple[int, int], ...], looks: Looks) -> ExactNull:
    """Return p of the last look: the smallest level whose border the sum of U crosses there.

    A look without new blocks spends nothing.
    """
    sizes = [n_a * n_b for n_a, n_b in shape]
    walk = np.zeros((len(ALPHA_LEVELS), sum(sizes) + 1))
    walk[:, 0] = 1.0
    spent, done_blocks = np.zeros(len(ALPHA_LEVELS)), 0
    borders = np.zeros(len(ALPHA_LEVELS), dtype=np.int64)
    for blocks, share in looks:
        for block in shape[done_blocks:blocks]:
            walk = _step(walk, u_shares(*block))
        done_blocks = max(done_blocks, blocks)
        borders, spent = _cross(walk, spent, share * ALPHA_LEVELS / 2)
    # A border of a stricter level is never looser.
    borders = np.minimum.accumulate(borders)
    beyond = borders[None, :] > np.arange(sum(sizes) + 1)[:, None]
    last = beyond.sum(axis=1)
    return ExactNull(np.where(last > 0, ALPHA_LEVELS[np.maximum(last - 1, 0)], 1.0))


def _step(walk: Floats, shares: Floats) -> Floats:
    """Add the U of one more block to the distribution of each level."""
    width = walk.shape[1]
    result = np.zeros_like(walk)
    for more, share in enumerate(shares.tolist()):
        result[:, more:] += share * walk[:, : width - more]
    return result


def _cross(walk: Floats, spent: Floats, allowed: Floats) -> tuple[Ints, Floats]:
    """Return the border of each level and alpha spent; remove crossed walks in place."""
    reached = spent[:, None] + np.cumsum(walk, axis=1)
    borders: Ints = (reached <= allowed[:, None] * ROUNDING).sum(axis=1)
    ended = np.arange(walk.shape[1])[None, :] < borders[:, None]
    spent = spent + np.where(ended, walk, 0.0).sum(axis=1)
    walk[ended] = 0.0
    return borders, spent
