"""Designs: how the repeats of two sides belong together, and which test that allows. Decided by
numbers and blocks alone, never by what was measured.
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
"""Blocks with one repeat of each side are paired only where the smallest possible p, corrected, is
at most a quarter of alpha. At the edge (6 blocks, one comparison) a paired test speaks only when
every block agrees, and without drift it sees a third less.
"""


@dataclass(frozen=True)
class Design:
    """`shape`: the repeats of both sides in each block ("all": in one). `looks`: after how many
    blocks it was looked at, and how much of the permitted error was spent by then.
    """

    test: Test
    shape: Shape
    looks: Looks

    @cached_property
    def null(self) -> Null:
        return _null(self)

    @cached_property
    def floor(self) -> float:
        """The smallest p there can be; 1 with fewer than two repeats on a side."""
        n_a, n_b = (sum(side) for side in zip(*self.shape, strict=True)) if self.shape else (0, 0)
        if min(n_a, n_b) < 2:
            return 1.0
        return float(self.null.two_sided(np.zeros(1, dtype=np.int64))[0])

    @cached_property
    def spending(self) -> Spending:
        return _spending(self)


@dataclass(frozen=True)
class Spending:
    """p of this look alone and the p that counts the looks before it, as logarithms, ascending: the
    rank test's, which every test of the same blocks may spend.
    """

    alone: Floats
    counted: Floats

    def p(self, alone: Floats) -> Floats:
        """The p that counts earlier looks."""
        with np.errstate(divide="ignore"):
            found: Floats = np.exp(np.interp(np.log(alone), self.alone, self.counted))
        return found

    def level(self, level: Floats) -> Floats:
        """The level of this look alone."""
        found: Floats = np.exp(np.interp(np.log(level), self.counted, self.alone))
        return found


@dataclass(frozen=True)
class Layout:
    """The places of both sides' values, block by block, and how many each block has of both."""

    a: Ints
    b: Ints
    labels: tuple[int, ...]
    shape: Shape


@lru_cache(maxsize=4096)
def layout_of(blocks_a: bytes, blocks_b: bytes, counts_a: bytes, counts_b: bytes) -> Layout:
    """From the block labels of both sides and whether each value counts, as the bytes of arrays
    (int64, bool): a page's comparisons have few different ones.
    """
    a, b = (np.frombuffer(one, dtype=np.int64) for one in (blocks_a, blocks_b))
    use_a, use_b = (np.frombuffer(one, dtype=np.bool_) for one in (counts_a, counts_b))
    labels = np.intersect1d(a[use_a], b[use_b])
    return Layout(
        _by_block(a, use_a, labels), _by_block(b, use_b, labels), tuple(labels.tolist()),
        tuple(zip(_sizes(a[use_a], labels), _sizes(b[use_b], labels), strict=True)),
    )  # fmt: skip


def _by_block(blocks: Ints, counts: Flags, labels: Ints) -> Ints:
    places = np.flatnonzero(counts & np.isin(blocks, labels))
    return places[np.argsort(blocks[places], kind="stable")]


def _sizes(blocks: Ints, labels: Ints) -> list[int]:
    found: list[int] = (blocks[:, None] == labels[None, :]).sum(axis=0).tolist()
    return found


@lru_cache(maxsize=4096)
def design_of(shape: Shape, whole: tuple[int, int], looks: Looks, cells: int) -> Design:
    """The test for these blocks out of so many comparisons. `whole`: the repeats that count on each
    side, in blocks or not.

    Permuting inside blocks is right under any drift between them, so it is taken wherever its
    scale is fine enough to say anything; else all repeats of one side are set against all of the
    other, which drift can only make more careful.
    """
    everything = Design("all", (whole,), looks)
    if not shape:
        return everything
    alone = set(shape) == {(1, 1)}
    blocks = Design("pairs" if alone else "blocks", shape, looks)
    margin = PAIR_MARGIN if alone else 1
    if alone and whole != (len(shape), len(shape)):
        return everything  # a block that lost one of its values: a failure is no random loss
    return blocks if is_reachable(blocks.floor * margin, ALPHA, max(1, cells)) else everything


@lru_cache(maxsize=1024)
def _null(design: Design) -> Null:
    if design.test == "blocks" and len(design.looks) > 1:
        return interim_null(design.shape, design.looks)
    return shared(_plain(design), _share(design))


def _share(design: Design) -> float:
    """Looks at what is no sum over blocks share the error among them."""
    spent = [share for _blocks, share in design.looks] or [1.0]
    return spent[-1] - (spent[-2] if len(spent) > 1 else 0.0)


@lru_cache(maxsize=1024)
def _spending(design: Design) -> Spending:
    if design.test == "blocks" and len(design.looks) > 1:
        alone, found = _plain(design), design.null
        assert isinstance(alone, ExactNull)
        assert isinstance(found, ExactNull)
        counted_p, first = np.unique(found.p, return_index=True)
        alone_p = alone.p[first]
    else:
        counted_p, alone_p = np.ones(1), np.full(1, max(_share(design), SMALLEST))
    # Below the smallest p of the rank test the share stays what it is there.
    return Spending(
        np.log(np.concatenate([alone_p[:1] * SMALLEST, alone_p])),
        np.log(np.concatenate([counted_p[:1] * SMALLEST, counted_p])),
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


def shared(null: Null, share: float) -> Null:
    """The same with only this share of the permitted error to spend: p is that much larger."""
    if share == 1.0:
        return null
    if isinstance(null, ExactNull):
        return ExactNull(np.minimum(1.0, null.p / share))
    assert isinstance(null, NormalNull)
    return NormalNull(null.mean, null.deviation, share)
