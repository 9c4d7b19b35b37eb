"""Looking at the same comparison more than once, as blocks of repeats are added.

The permitted error is spent look by look (Lan and DeMets 1983). Tunings are put in order by a coin
of its own in every block, so the counts of the blocks are independent, and how often a random walk
of them crosses a border at this look that it did not cross before is counted exactly. The interval
at each look is the test turned round (repeated confidence intervals, Jennison and Turnbull 1989):
whatever made somebody stop, all intervals together hold the truth as often as promised.
"""

from __future__ import annotations

from functools import lru_cache
from math import e, log1p

import numpy as np

from apps.analysis.compare.stats.nulls import ROUNDING, Counted, Floats, Ints, u_shares

Looks = tuple[tuple[int, float], ...]
"""After how many blocks, and the share of the error that was spent by then."""
FIRST_LOOK = 0.8
"""The share of the permitted error that the planned end of a run may spend. The rest is kept for
looks after repeats that are added later.
"""
LEVELS = np.exp(np.linspace(0.0, np.log(1e-8), 370))
"""Levels at which borders are worked out: p is rounded up to the next of them (5 %)."""


def spent_by(done: int, most: int) -> float:
    """The share of a stage's error that is spent after `done` of at most `most` blocks, with a look
    after each: as Pocock (1977) spends it (Lan and DeMets 1983), about as much at each look, as
    most such runs end early.
    """
    return log1p((e - 1) * min(1.0, done / most))


@lru_cache(maxsize=512)
def looked_at(shape: tuple[tuple[int, int], ...], looks: Looks) -> Counted:
    """p of the last look at these blocks: the smallest level at which the walk is beyond the border
    there. Looks at nothing new take nothing.
    """
    sizes = [n_a * n_b for n_a, n_b in shape]
    walk = np.zeros((len(LEVELS), sum(sizes) + 1))
    walk[:, 0] = 1.0
    spent, at = np.zeros(len(LEVELS)), 0
    borders = np.zeros(len(LEVELS), dtype=np.int64)
    for blocks, share in looks:
        for block in shape[at:blocks]:
            walk = _step(walk, u_shares(*block))
        at = max(at, blocks)
        borders, spent = _cross(walk, spent, share * LEVELS / 2)
    # A border of a stricter level is never looser.
    borders = np.minimum.accumulate(borders)
    beyond = borders[None, :] > np.arange(sum(sizes) + 1)[:, None]
    last = beyond.sum(axis=1)
    return Counted(np.where(last > 0, LEVELS[np.maximum(last - 1, 0)], 1.0))


def _step(walk: Floats, shares: Floats) -> Floats:
    """One more block is added to every walk."""
    width = walk.shape[1]
    found = np.zeros_like(walk)
    for more, share in enumerate(shares.tolist()):
        found[:, more:] += share * walk[:, : width - more]
    return found


def _cross(walk: Floats, spent: Floats, allowed: Floats) -> tuple[Ints, Floats]:
    """The border of each level, and what is spent with it; walks beyond it end (in place)."""
    reached = spent[:, None] + np.cumsum(walk, axis=1)
    borders: Ints = (reached <= allowed[:, None] * ROUNDING).sum(axis=1)
    ended = np.arange(walk.shape[1])[None, :] < borders[:, None]
    spent = spent + np.where(ended, walk, 0.0).sum(axis=1)
    walk[ended] = 0.0
    return borders, spent
