"""Comparisons one by one, and batches of those that have one design."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from apps.stats import batch
from apps.stats.alpha_spending import Looks
from apps.stats.designs import Design, Layout, design_of, layout_of
from apps.stats.null_distributions import Flags, Floats, Ints
from apps.stats.samples import Values


@dataclass(frozen=True, slots=True)
class Blocks:
    """The block and the time (in any unit; None where it is not known) of each value of both sides.
    `looks`: after the block of this label so much of the permitted error was spent, ascending; none
    for one look that may spend all.
    """

    a: Ints
    b: Ints
    times_a: Floats | None = None
    times_b: Floats | None = None
    looks: Looks = ()

    @property
    def timed(self) -> bool:
        """Whether the times of both sides are known."""
        return self.times_a is not None and self.times_b is not None


@dataclass(frozen=True, slots=True)
class ChainCell:
    """One comparison: repeats of `a` (the reference) and `b`, of one metric in its canonical
    unit.

    `minimum_effect`: a share (0.02 is 2 %) below which nobody cares; `differing_factors`: labels
    of what differs beyond the factor under comparison.
    """

    a: Values
    b: Values
    higher_is_better: bool
    minimum_effect: float = 0.0
    differing_factors: Sequence[str] = ()
    blocks: Blocks | None = None


@dataclass(frozen=True)
class Batch:
    """Comparisons of one design and one layout of blocks, one of each of these chains (`places`).
    `counts`: values of both sides; `minimum`: the share below which nobody cares.
    """

    places: Ints
    design: Design
    counts: tuple[int, int]
    higher_is_better: Flags
    minimum: Floats
    sides: batch.Sides

    def of(self, chains: Flags) -> Batch:
        """Those of these chains alone."""
        rows = np.flatnonzero(chains[self.places])
        if len(rows) == len(self.places):
            return self
        return Batch(
            self.places[rows], self.design, self.counts, self.higher_is_better[rows],
            self.minimum[rows], self.sides.rows(rows),
        )  # fmt: skip


class _Plan(NamedTuple):
    """The design of one comparison, fixed before the data are looked at. `a`, `b`: the values with
    their places.
    """

    cell: ChainCell
    design: Design
    layout: Layout
    counts: tuple[int, int]
    a: Floats
    b: Floats


def batches(
    chains: Sequence[Sequence[ChainCell]], places: Ints, at: int, cells: int
) -> list[Batch]:
    """The comparisons at this place of these chains, by design and layout."""
    # By the objects, which are remembered: a design of many blocks takes longer to be hashed.
    found: dict[tuple[int, int, bool], list[tuple[int, _Plan]]] = defaultdict(list)
    for place in places.tolist():
        cell = chains[place][at]
        plan = _plan(cell, cells)
        timed = cell.blocks is not None and cell.blocks.timed
        found[id(plan.design), id(plan.layout), timed].append((place, plan))
    return [_batch(mine) for mine in found.values()]


def _batch(mine: Sequence[tuple[int, _Plan]]) -> Batch:
    plans = [plan for _place, plan in mine]
    return Batch(
        np.array([place for place, _plan in mine], dtype=np.int64),
        plans[0].design,
        plans[0].counts,
        np.array([plan.cell.higher_is_better for plan in plans], dtype=np.bool_),
        np.array([plan.cell.minimum_effect for plan in plans]),
        _sides(plans),
    )


def _plan(cell: ChainCell, cells: int) -> _Plan:
    a, b = np.asarray(cell.a, dtype=np.float64), np.asarray(cell.b, dtype=np.float64)
    use_a, use_b = _counting(a), _counting(b)
    counts = int(np.count_nonzero(use_a)), int(np.count_nonzero(use_b))
    design, layout = _designed(cell.blocks, counts, (use_a.tobytes(), use_b.tobytes()), cells)
    return _Plan(cell, design, layout, counts, a, b)


def _designed(
    blocks: Blocks | None, counts: tuple[int, int], marks: tuple[bytes, bytes], cells: int
) -> tuple[Design, Layout]:
    """The design for values of which those with a mark count, so many of each side."""
    if blocks is not None:
        layout = layout_of(blocks.a.tobytes(), blocks.b.tobytes(), *marks)
        looks = _looks(blocks.looks, layout.labels)
        design = design_of(layout.shape, counts, looks, cells)
        if design.test != "all":
            return design, layout
    else:
        design = design_of((), counts, (), cells)
    return design, layout_of(bytes(8 * len(marks[0])), bytes(8 * len(marks[1])), *marks)


@lru_cache(maxsize=4096)
def _looks(looks: Looks, labels: tuple[int, ...]) -> Looks:
    """The looks by how many of these blocks there were. What came after the last one is looked at
    now, with half of what is left.
    """
    found = [(bisect_right(labels, label), share) for label, share in looks]
    if found and found[-1][0] < len(labels):
        found.append((len(labels), (found[-1][1] + 1) / 2))
    return tuple(found) or ((len(labels), 1.0),)


def _counting(values: Floats) -> Flags:
    """Mask of the values that count: a repeat without one (None, NaN, infinite) does not. Raises
    ValueError for a negative one: every metric compared here is a rate, a size or a time.
    """
    counts = np.isfinite(values)
    if np.count_nonzero(values < 0):
        raise ValueError("a ratio needs values of zero or more")
    return counts


def _sides(plans: Sequence[_Plan]) -> batch.Sides:
    layout = plans[0].layout
    blocks = [plan.cell.blocks for plan in plans]
    a = batch.logarithms(np.array([plan.a for plan in plans])[:, layout.a])
    b = batch.logarithms(np.array([plan.b for plan in plans])[:, layout.b])
    times_a = [one.times_a for one in blocks if one is not None and one.times_a is not None]
    times_b = [one.times_b for one in blocks if one is not None and one.times_b is not None]
    if plans[0].design.test != "blocks" or len(times_a) + len(times_b) < 2 * len(plans):
        return batch.Sides(a, b)
    return batch.Sides(a, b, np.array(times_a)[:, layout.a], np.array(times_b)[:, layout.b])
