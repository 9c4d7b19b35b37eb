"""Comparisons as cells of chains, and batches of cells with one design."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from apps.stats.alpha_spending import Looks
from apps.stats.designs import Design, Layout, design_of, layout_of
from apps.stats.null_distributions import Flags, Floats, Ints
from apps.stats.samples import Values
from apps.stats.sides import Sides, logarithms


@dataclass(frozen=True, slots=True)
class Blocks:
    """Block and time (any unit; None if unknown) of each value of both sides.

    `looks`: share of the error spent after the block of this label, ascending; empty for one
    analysis that may spend all.
    """

    a: Ints
    b: Ints
    times_a: Floats | None = None
    times_b: Floats | None = None
    looks: Looks = ()

    @property
    def timed(self) -> bool:
        """Return True if the times of both sides are known."""
        return self.times_a is not None and self.times_b is not None


@dataclass(frozen=True, slots=True)
class ChainCell:
    """Comparison: repeats of `a` (the reference) and `b`, of one metric in its canonical unit.

    `minimum_effect`: share (0.02 is 2 %) below which a difference is ignored; `differing_factors`:
    labels of confounders. `looks`: analyses of a comparison without blocks.
    """

    a: Values
    b: Values
    higher_is_better: bool
    minimum_effect: float = 0.0
    differing_factors: Sequence[str] = ()
    blocks: Blocks | None = None
    looks: Looks = ()


@dataclass(frozen=True)
class Batch:
    """Comparisons of one design and block layout, one of each of these chains (`chain_indices`).

    `counts`: values of both sides; `minimum`: share below which a difference is ignored.
    """

    chain_indices: Ints
    design: Design
    counts: tuple[int, int]
    higher_is_better: Flags
    minimum: Floats
    sides: Sides

    def of(self, chains: Flags) -> Batch:
        """Return the comparisons of these chains."""
        rows = np.flatnonzero(chains[self.chain_indices])
        if len(rows) == len(self.chain_indices):
            return self
        return Batch(
            self.chain_indices[rows], self.design, self.counts, self.higher_is_better[rows],
            self.minimum[rows], self.sides.rows(rows),
        )  # fmt: skip


class _Plan(NamedTuple):
    """Design of one comparison, fixed before the data are used; `a`, `b`: values with positions."""

    cell: ChainCell
    design: Design
    layout: Layout
    counts: tuple[int, int]
    a: Floats
    b: Floats


def batches(
    chains: Sequence[Sequence[ChainCell]], chain_indices: Ints, at: int, cells: int
) -> list[Batch]:
    """Return the comparisons at index `at` of these chains, by design and layout."""
    # By identity, as designs are cached: hashing a design of many blocks takes longer.
    result: dict[tuple[int, int, bool], list[tuple[int, _Plan]]] = defaultdict(list)
    for index in chain_indices.tolist():
        cell = chains[index][at]
        plan = _plan(cell, cells)
        timed = cell.blocks is not None and cell.blocks.timed
        result[id(plan.design), id(plan.layout), timed].append((index, plan))
    return [_batch(mine) for mine in result.values()]


def _batch(mine: Sequence[tuple[int, _Plan]]) -> Batch:
    plans = [plan for _place, plan in mine]
    return Batch(
        np.array([index for index, _plan in mine], dtype=np.int64),
        plans[0].design,
        plans[0].counts,
        np.array([plan.cell.higher_is_better for plan in plans], dtype=np.bool_),
        np.array([plan.cell.minimum_effect for plan in plans]),
        _sides(plans),
    )


def _plan(cell: ChainCell, cells: int) -> _Plan:
    a, b = np.asarray(cell.a, dtype=np.float64), np.asarray(cell.b, dtype=np.float64)
    use_a, use_b = _finite(a), _finite(b)
    counts = int(np.count_nonzero(use_a)), int(np.count_nonzero(use_b))
    design, layout = _design_and_layout(cell, counts, (use_a.tobytes(), use_b.tobytes()), cells)
    return _Plan(cell, design, layout, counts, a, b)


def _design_and_layout(
    cell: ChainCell, counts: tuple[int, int], marks: tuple[bytes, bytes], cells: int
) -> tuple[Design, Layout]:
    """Return the design of the marked values."""
    if (blocks := cell.blocks) is not None:
        layout = layout_of(blocks.a.tobytes(), blocks.b.tobytes(), *marks)
        looks = _analyses_by_count(blocks.looks, layout.labels)
        design = design_of(layout.shape, counts, looks, cells)
        if design.test != "all":
            return design, layout
    else:
        design = design_of((), counts, cell.looks, cells)
    return design, layout_of(bytes(8 * len(marks[0])), bytes(8 * len(marks[1])), *marks)


@lru_cache(maxsize=4096)
def _analyses_by_count(looks: Looks, labels: tuple[int, ...]) -> Looks:
    """Return the analyses by number of these blocks.

    Blocks after the last one are analysed now, with half of the remaining error.
    """
    result = [(bisect_right(labels, label), share) for label, share in looks]
    if result and result[-1][0] < len(labels):
        result.append((len(labels), (result[-1][1] + 1) / 2))
    return tuple(result) or ((len(labels), 1.0),)


def _finite(values: Floats) -> Flags:
    """Return a mask of the finite values.

    Raises: ValueError for a negative one: every metric is a rate, a size or a time.
    """
    counts = np.isfinite(values)
    if np.count_nonzero(values < 0):
        raise ValueError("a ratio needs values of zero or more")
    return counts


def _sides(plans: Sequence[_Plan]) -> Sides:
    layout = plans[0].layout
    blocks = [plan.cell.blocks for plan in plans]
    a = logarithms(np.array([plan.a for plan in plans])[:, layout.a])
    b = logarithms(np.array([plan.b for plan in plans])[:, layout.b])
    times_a = [one.times_a for one in blocks if one is not None and one.times_a is not None]
    times_b = [one.times_b for one in blocks if one is not None and one.times_b is not None]
    if plans[0].design.test != "blocks" or len(times_a) + len(times_b) < 2 * len(plans):
        return Sides(a, b)
    return Sides(a, b, np.array(times_a)[:, layout.a], np.array(times_b)[:, layout.b])
