"""Designs: which test the repeats of two levels allow.

A design depends on numbers and blocks alone, never on measured values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from apps.stats.alpha_spending import Looks, interim_null
from apps.stats.multiplicity import ALPHA, is_reachable
from apps.stats.null_distributions import (
    ExactNull,
    Flags,
    Floats,
    Ints,
    NormalNull,
    Null,
    block_shares,
    exact_null,
    is_exact_affordable,
    rank_sum_normal,
    signed_rank_null,
    u_shares,
)

Test = Literal["blocks", "pairs", "all"]
Shape = tuple[tuple[int, int], ...]

SMALLEST = 1e-100
PAIR_MARGIN = 4
"""Blocks with one repeat of each level are paired only if the smallest p allows this margin.

The smallest corrected p is then at most ALPHA / 4. At the limit (6 blocks, one comparison) a paired
test shows a difference only if all blocks agree, and without drift it has a third less power.
"""


@dataclass(frozen=True)
class Design:
    """Test and layout of a comparison.

    - `shape`: repeats of both levels in each block ("all": in one).
    - `looks`: blocks at each interim analysis, and the alpha spent by then.
    """

    test: Test
    shape: Shape
    looks: Looks

    @cached_property
    def null(self) -> Null:
        return _null(self)

    @cached_property
    def floor(self) -> float:
        """Return the smallest possible p; 1 with fewer than two repeats of a level."""
        n_a, n_b = (sum(side) for side in zip(*self.shape, strict=True)) if self.shape else (0, 0)
        if min(n_a, n_b) < 2:
            return 1.0
        return float(self.null.two_sided(np.zeros(1, dtype=np.int64))[0])

    @cached_property
    def spending(self) -> Spending:
        return _spending(self)


@dataclass(frozen=True)
class Spending:
    """p of this look alone, and p corrected for earlier looks, as ascending logarithms.

    They are those of the rank test; every test of the same blocks may use them.
    """

    single: Floats
    corrected: Floats

    def p(self, single: Floats) -> Floats:
        """Return p corrected for earlier looks."""
        with np.errstate(divide="ignore"):
            result: Floats = np.exp(np.interp(np.log(single), self.single, self.corrected))
        return result

    def level(self, level: Floats) -> Floats:
        """Return the level of this look alone."""
        result: Floats = np.exp(np.interp(np.log(level), self.corrected, self.single))
        return result


@dataclass(frozen=True)
class Layout:
    """Indexes of both levels' values, block by block, and the number of values in each block."""

    a: Ints
    b: Ints
    labels: tuple[int, ...]
    shape: Shape


@lru_cache(maxsize=4096)
def layout_of(blocks_a: bytes, blocks_b: bytes, counts_a: bytes, counts_b: bytes) -> Layout:
    """Build the layout from block labels and masks of valid values of both levels.

    The arguments are the bytes of arrays (int64, bool) and cacheable: a page's comparisons have few
    different ones.
    """
    a, b = (np.frombuffer(one, dtype=np.int64) for one in (blocks_a, blocks_b))
    use_a, use_b = (np.frombuffer(one, dtype=np.bool_) for one in (counts_a, counts_b))
    labels = np.intersect1d(a[use_a], b[use_b])
    return Layout(
        _by_block(a, use_a, labels), _by_block(b, use_b, labels), tuple(labels.tolist()),
        tuple(zip(_sizes(a[use_a], labels), _sizes(b[use_b], labels), strict=True)),
    )  # fmt: skip


def _by_block(blocks: Ints, counts: Flags, labels: Ints) -> Ints:
    indexes = np.flatnonzero(counts & np.isin(blocks, labels))
    return indexes[np.argsort(blocks[indexes], kind="stable")]


def _sizes(blocks: Ints, labels: Ints) -> list[int]:
    result: list[int] = (blocks[:, None] == labels[None, :]).sum(axis=0).tolist()
    return result


@lru_cache(maxsize=4096)
def design_of(shape: Shape, whole: tuple[int, int], looks: Looks, cells: int) -> Design:
    """Return the test for these blocks among `cells` comparisons.

    `whole`: valid repeats of each level, inside blocks or not. Permutation inside blocks is valid
    under any drift between blocks, so it is used if its smallest p can reach the level. Otherwise
    all repeats of one level are compared with all of the other; drift then makes the test
    conservative.
    """
    unblocked = Design("all", (whole,), looks)
    if not shape:
        return unblocked
    is_paired = set(shape) == {(1, 1)}
    blocks = Design("pairs" if is_paired else "blocks", shape, looks)
    margin = PAIR_MARGIN if is_paired else 1
    if is_paired and whole != (len(shape), len(shape)):
        return unblocked  # a block lacks a value: a failure is no random loss
    return blocks if is_reachable(blocks.floor * margin, ALPHA, max(1, cells)) else unblocked


@lru_cache(maxsize=1024)
def _null(design: Design) -> Null:
    if design.test == "blocks" and len(design.looks) > 1:
        return interim_null(design.shape, design.looks)
    return with_alpha_share(_plain(design), _share(design))


def _share(design: Design) -> float:
    """Return this look's share of alpha.

    Tests without a sum over blocks divide alpha among the looks.
    """
    spent = [share for _blocks, share in design.looks] or [1.0]
    return spent[-1] - (spent[-2] if len(spent) > 1 else 0.0)


@lru_cache(maxsize=1024)
def _spending(design: Design) -> Spending:
    if design.test == "blocks" and len(design.looks) > 1:
        single, corrected = _plain(design), design.null
        assert isinstance(single, ExactNull)
        assert isinstance(corrected, ExactNull)
        corrected_p, first = np.unique(corrected.p, return_index=True)
        single_p = single.p[first]
    else:
        corrected_p, single_p = np.ones(1), np.full(1, max(_share(design), SMALLEST))
    # Below the smallest p of the rank test the ratio is constant.
    return Spending(
        np.log(np.concatenate([single_p[:1] * SMALLEST, single_p])),
        np.log(np.concatenate([corrected_p[:1] * SMALLEST, corrected_p])),
    )


def _plain(design: Design) -> Null:
    if design.test == "pairs":
        return signed_rank_null(len(design.shape))
    if design.test == "blocks":
        return exact_null(block_shares(design.shape))
    ((n_a, n_b),) = design.shape
    if not is_exact_affordable(n_a, n_b):
        return rank_sum_normal(n_a, n_b)
    return exact_null(u_shares(n_a, n_b))


def with_alpha_share(null: Null, share: float) -> Null:
    """Return the null distribution with only this share of alpha: p is divided by it."""
    if share == 1.0:
        return null
    if isinstance(null, ExactNull):
        return ExactNull(np.minimum(1.0, null.p / share))
    assert isinstance(null, NormalNull)
    return NormalNull(null.mean, null.deviation, share)
