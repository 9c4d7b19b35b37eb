"""Many comparisons of one design at once: a row of a matrix is one comparison.

Every test here counts differences on the smaller side of zero, and every interval leaves out as
many differences as the test does, so the two never contradict each other. Where a single comparison
has None, an array has NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from apps.stats.designs import Design, Shape
from apps.stats.null_distributions import ROUNDING, Flags, Floats, Ints
from apps.stats.order_statistics import counts_of_differences, kth_averages, kth_differences
from apps.stats.studentised import Studentised, studentised

MAX_BATCH_VALUES = 2**20
"""Differences held in memory at once: 8 MiB."""
MAX_LISTED = 2**12
"""Averages of a row that are listed to be counted; more are counted in the order of the ratios."""
INFINITE_LOG = 1e6
"""Stands for an infinite logarithm where only finite ones can be sorted: no ratio of two floating
point numbers reaches it.
"""


@dataclass(frozen=True)
class Sides:
    """Repeats of both sides, block by block, as logarithms (m x n_a, m x n_b); when each was
    measured, in any unit, or None.
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


@dataclass(frozen=True)
class Effects:
    """`Effect` for each row: b over a, the ends of its interval, whether that leaves out 1."""

    ratio: Floats
    low: Floats
    high: Floats
    excludes_one: Flags


def logarithms(values: Floats) -> Floats:
    """A measured zero is minus infinity."""
    with np.errstate(divide="ignore"):
        found: Floats = np.log(values)
    return found


def p_values(design: Design, sides: Sides) -> Floats:
    """Two-sided p of each row: the larger one of the rank test and the studentised difference."""
    if design.floor == 1.0:
        return np.ones(len(sides))
    ranked, other = _rank_p(design, sides), _studentised(design, sides)
    return ranked if other is None else np.maximum(ranked, other.p_values())


def _studentised(design: Design, sides: Sides) -> Studentised | None:
    flat = without_drift(design, sides) if design.test == "blocks" else sides
    return studentised(design, flat.a, flat.b)


def _rank_p(design: Design, sides: Sides) -> Floats:
    if _size(design) > MAX_BATCH_VALUES and design.test == "all":
        against = np.array([_counted(a, b) for a, b in zip(sides.a, sides.b, strict=True)])
        return design.null.two_sided(against.astype(np.int64))
    if _size(design) > MAX_LISTED and design.test == "pairs":
        against = np.array([_averages_against(row) for row in _ratios(sides)])
        return design.null.two_sided(against)
    step = max(1, MAX_BATCH_VALUES // max(1, _size(design)))
    return np.concatenate([
        design.null.two_sided(_against(differences(design, sides.rows(slice(at, at + step)))))
        for at in range(0, len(sides), step)
    ])  # fmt: skip


def effects_at(design: Design, sides: Sides, level: float) -> Effects:
    """The middle difference of each row as a ratio, with its interval of 1 - `level`."""
    critical = design.null.critical(level) if _size(design) and design.floor < 1.0 else 0
    return _widened(
        _effects_leaving(design, sides, critical), design, sides, np.full(len(sides), level)
    )


def effects_each(design: Design, sides: Sides, levels: Floats) -> Effects:
    """The same with a level for each row. Many levels leave out as many differences as others."""
    if not _size(design) or design.floor == 1.0:
        return _effects_leaving(design, sides, 0)
    criticals = design.null.criticals(levels)
    different = np.unique(criticals).tolist()
    if len(different) == 1:
        return _widened(_effects_leaving(design, sides, different[0]), design, sides, levels)
    ratio, low, high = (np.empty(len(sides)) for _column in range(3))
    found = Effects(ratio, low, high, np.zeros(len(sides), dtype=bool))
    for critical in different:
        rows = np.flatnonzero(criticals == critical)
        some = _effects_leaving(design, sides.rows(rows), critical)
        found.ratio[rows], found.low[rows], found.high[rows] = some.ratio, some.low, some.high
        found.excludes_one[rows] = some.excludes_one
    return _widened(found, design, sides, levels)


def _widened(found: Effects, design: Design, sides: Sides, levels: Floats) -> Effects:
    """The hull of these intervals and those of the studentised difference."""
    other = _studentised(design, sides) if design.floor < 1.0 else None
    if other is None:
        return found
    low, high = (_ratio(end) for end in other.ends(levels))
    excludes = found.excludes_one & (other.p_values() <= levels * ROUNDING)
    low = np.where(np.isnan(low), found.low, np.minimum(found.low, low))
    high = np.where(np.isnan(high), found.high, np.maximum(found.high, high))
    return Effects(found.ratio, low, high, excludes)


def _effects_leaving(design: Design, sides: Sides, critical: int) -> Effects:
    """With an interval that leaves out so many differences at each end, none for 0."""
    size = _size(design)
    if not size:
        nothing = np.full(len(sides), np.nan)
        return Effects(nothing, nothing, nothing, np.zeros(len(sides), dtype=bool))
    left_out = max(critical, 1)
    places = (size - 1) // 2, size // 2, left_out - 1, size - left_out
    if size > MAX_BATCH_VALUES and design.test != "blocks":
        return _effects(_far(design, sides, places), critical)
    step = max(1, MAX_BATCH_VALUES // size)
    found = [
        _selected(differences(design, sides.rows(slice(at, at + step))), places)
        for at in range(0, len(sides), step)
    ]
    return _effects(np.concatenate(found), critical)


def differences(design: Design, sides: Sides) -> Floats:
    """Of two repeats of a block each, or of two blocks' ratios the average; opposite infinities
    balance to 0.
    """
    if design.test == "blocks":
        sides = without_drift(design, sides)
    with np.errstate(invalid="ignore"):
        if design.test == "pairs":
            found = _averages(_ratios(sides))
        else:
            found = _within_blocks(design.shape, sides)
    # Only infinities have opposite ones, and there are a thousand times fewer values to look at.
    if not (np.isfinite(sides.a).all() and np.isfinite(sides.b).all()):
        found[np.isnan(found)] = 0.0
    return found


def _ratios(sides: Sides) -> Floats:
    """The logarithm of each block's ratio; two zeros are equal."""
    with np.errstate(invalid="ignore"):
        found: Floats = sides.b - sides.a
    found[np.isnan(found)] = 0.0
    return found


def _averages(ratios: Floats) -> Floats:
    """The averages of every two columns, and of each with itself. Slices take a fifth of the time
    that lists of places do.
    """
    rows, blocks = ratios.shape
    found, at = np.empty((rows, blocks * (blocks + 1) // 2)), 0
    for first in range(blocks):
        end = at + blocks - first
        np.add(ratios[:, first : first + 1], ratios[:, first:], out=found[:, at:end])
        at = end
    found /= 2
    return found


def _within_blocks(shape: Shape, sides: Sides) -> Floats:
    """Every repeat of `b` less every one of `a` of the same block."""
    found = np.empty((len(sides), sum(n_a * n_b for n_a, n_b in shape)))
    at = at_a = at_b = 0
    for n_a, n_b in shape:
        a, b = sides.a[:, at_a : at_a + n_a], sides.b[:, at_b : at_b + n_b]
        mine = found[:, at : at + n_a * n_b].reshape(len(sides), n_a, n_b, copy=False)
        np.subtract(b[:, None, :], a[:, :, None], out=mine)
        at, at_a, at_b = at + n_a * n_b, at_a + n_a, at_b + n_b
    return found


def without_drift(design: Design, sides: Sides) -> Sides:
    """Both sides without the line from the mean of the block before to that of this one (of the
    first block: to the next), inside each block.

    A block's mean does not move when labels inside it are exchanged, nor by a difference between
    the sides that all blocks share, so the test stays exact; and no later block moves it.
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
    """The mean of each block of each row. A product of matrices would add in another order, and
    round differently, with the number of rows.
    """
    starts = np.cumsum([0, *sizes[:-1]])
    found: Floats = np.add.reduceat(values, starts, axis=1) / np.array(sizes)
    return found


def _size(design: Design) -> int:
    if design.test == "pairs":
        return len(design.shape) * (len(design.shape) + 1) // 2
    return sum(n_a * n_b for n_a, n_b in design.shape)


def _against(found: Floats) -> Ints:
    """Numbers of differences on the smaller side of zero, those at zero with them."""
    smaller: Ints = np.minimum((found <= 0).sum(axis=1), (found >= 0).sum(axis=1))
    return np.minimum(smaller, found.shape[1])


def _averages_against(ratios: Floats) -> int:
    """The same of the averages of one row, without listing them. The sign of a sum is exact."""
    ordered = np.sort(ratios)
    below, at_most = (_up_to_zero(ordered, side) for side in ("left", "right"))
    return min(at_most, len(ratios) * (len(ratios) + 1) // 2 - below)


def _up_to_zero(ordered: Floats, side: Literal["left", "right"]) -> int:
    """Numbers of averages below zero ("left"), or at most zero: pairs are found from both ends."""
    twice = np.searchsorted(ordered, -ordered, side).sum() + np.searchsorted(ordered, 0.0, side)
    return int(twice) // 2


def _counted(a: Floats, b: Floats) -> int:
    below, at_most = counts_of_differences(
        np.maximum(a, -INFINITE_LOG), np.maximum(b, -INFINITE_LOG)
    )
    return min(at_most, len(a) * len(b) - below)


def _far(design: Design, sides: Sides, places: tuple[int, ...]) -> Floats:
    """Differences at these places, without listing all of them."""
    a, b = np.maximum(sides.a, -INFINITE_LOG), np.maximum(sides.b, -INFINITE_LOG)
    if design.test == "pairs":
        return np.array(
            [kth_averages(row, places) for row in np.clip(b - a, -INFINITE_LOG, INFINITE_LOG)]
        )
    return np.array([kth_differences(x, y, places) for x, y in zip(a, b, strict=True)])


def _selected(values: Floats, places: tuple[int, ...]) -> Floats:
    # Sorting is vectorised, selecting several places is not: it takes twice the time.
    return np.sort(values, axis=1)[:, list(places)]


def _effects(found: Floats, critical: int) -> Effects:
    """Logarithms of both middles and both ends as ratios; no interval where nothing may be left
    out.
    """
    lower, upper = found[:, 0], found[:, 1]
    with np.errstate(invalid="ignore"):
        middle = np.where(lower == upper, lower, (lower + upper) / 2)
    low, high = found[:, 2], found[:, 3]
    if not critical:
        nothing = np.full(len(found), np.nan)
        return Effects(_ratio(middle), nothing, nothing, np.zeros(len(found), dtype=bool))
    return Effects(_ratio(middle), _ratio(low), _ratio(high), (low > 0) | (high < 0))


def _ratio(logarithms: Floats) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(logarithms > 700, np.nan, np.exp(logarithms))
