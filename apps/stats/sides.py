"""Repeats of both sides of many comparisons, as logarithms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.stats.designs import Design
from apps.stats.null_distributions import Floats, Ints


@dataclass(frozen=True)
class Sides:
    """Repeats of both sides, block by block, as logarithms (m x n_a, m x n_b).

    `times_*`: when each was measured, in any unit, or None.
    """

    a: Floats
    b: Floats
    times_a: Floats | None = None
    times_b: Floats | None = None

    def __len__(self) -> int:
        return len(self.a)

    def rows(self, which: slice | Ints) -> Sides:
        times_a = None if self.times_a is None else self.times_a[which]
        times_b = None if self.times_b is None else self.times_b[which]
        return Sides(self.a[which], self.b[which], times_a, times_b)


def logarithms(values: Floats) -> Floats:
    """Return natural logarithms; a measured zero is minus infinity."""
    with np.errstate(divide="ignore"):
        result: Floats = np.log(values)
    return result


def without_drift(design: Design, sides: Sides) -> Sides:
    """Subtract a linear drift inside each block.

    The line runs from the mean of the previous block to that of this one (of the first block: to
    the next). A block's mean is invariant under exchanges of labels inside it, and under a
    difference between the sides that all blocks share. So the test stays exact, and no later block
    changes it.
    """
    if sides.times_a is None or sides.times_b is None or len(design.shape) < 2:
        return sides
    sizes_a, sizes_b = zip(*design.shape, strict=True)
    weight = np.array(sizes_a) / (np.array(sizes_a) + np.array(sizes_b))
    with np.errstate(invalid="ignore", divide="ignore"):
        levels = _means(sides.a, sizes_a) * weight + _means(sides.b, sizes_b) * (1 - weight)
        centres = _means(sides.times_a, sizes_a) * weight
        centres += _means(sides.times_b, sizes_b) * (1 - weight)
        slopes = np.diff(levels, axis=1) / np.diff(centres, axis=1)
    slopes = np.where(np.isfinite(slopes), slopes, 0.0)
    slopes = np.concatenate([slopes[:, :1], slopes], axis=1)
    in_a, in_b = (
        np.repeat(np.arange(len(sizes_a)), sizes_a),
        np.repeat(np.arange(len(sizes_b)), sizes_b),
    )
    a = sides.a - slopes[:, in_a] * (sides.times_a - centres[:, in_a])
    b = sides.b - slopes[:, in_b] * (sides.times_b - centres[:, in_b])
    return Sides(a, b)


def _means(values: Floats, sizes: Sequence[int]) -> Floats:
    """Return the mean of each block of each row.

    A product of matrices would add in another order, and round differently, with the number of
    rows.
    """
    starts = np.cumsum([0, *sizes[:-1]])
    means: Floats = np.add.reduceat(values, starts, axis=1) / np.array(sizes)
    return means
