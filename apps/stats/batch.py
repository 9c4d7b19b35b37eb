"""Tests and effects of many comparisons of one design at once: a row of a matrix is a comparison.

Every test counts differences on the smaller side of zero, and every interval excludes as many
differences as the test, so the two never contradict each other. Where a single comparison has None,
an array has NaN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from apps.stats.designs import Design, Shape
from apps.stats.null_distributions import ROUNDING, Flags, Floats, Ints
from apps.stats.order_statistics import counts_of_differences, kth_averages, kth_differences
from apps.stats.sides import Sides, without_drift
from apps.stats.studentised import Studentised, studentised

MAX_BATCH_VALUES = 2**20
"""Maximum of differences in memory at once: 8 MiB."""
MAX_LISTED = 2**12
"""Averages of a row that are listed; larger numbers are counted in the order of the ratios."""
INFINITE_LOG = 1e6
"""Replacement of an infinite logarithm for sorting; no ratio of two floats reaches it."""


@dataclass(frozen=True)
class Effects:
    """Effects of each row: ratio of b to a, the ends of its interval, and whether 1 is outside."""

    ratio: Floats
    low: Floats
    high: Floats
    excludes_one: Flags


def p_values(design: Design, sides: Sides) -> Floats:
    """Return the two-sided p of each row: the larger of rank test and studentised difference."""
    if design.floor == 1.0:
        return np.ones(len(sides))
    ranked, welch = _rank_p(design, sides), _studentised(design, sides)
    return ranked if welch is None else np.maximum(ranked, welch.p_values())


def _studentised(design: Design, sides: Sides) -> Studentised | None:
    flat = without_drift(design, sides) if design.test == "blocks" else sides
    return studentised(design, flat.a, flat.b)


def _rank_p(design: Design, sides: Sides) -> Floats:
    if _size(design) > MAX_BATCH_VALUES and design.test == "all":
        counts = np.array([_counted(a, b) for a, b in zip(sides.a, sides.b, strict=True)])
        return design.null.two_sided(counts.astype(np.int64))
    if _size(design) > MAX_LISTED and design.test == "pairs":
        counts = np.array([_averages_against(row) for row in _ratios(sides)])
        return design.null.two_sided(counts)
    step = max(1, MAX_BATCH_VALUES // max(1, _size(design)))
    return np.concatenate([
        design.null.two_sided(_against(differences(design, sides.rows(slice(at, at + step)))))
        for at in range(0, len(sides), step)
    ])  # fmt: skip


def effects_at(design: Design, sides: Sides, level: float) -> Effects:
    """Return the median difference of each row as a ratio, with its interval of 1 - `level`."""
    critical = design.null.critical(level) if _size(design) and design.floor < 1.0 else 0
    return _widened(
        _effects_leaving(design, sides, critical), design, sides, np.full(len(sides), level)
    )


def effects_each(design: Design, sides: Sides, levels: Floats) -> Effects:
    """Return the effects with a level for each row.

    Many levels exclude equal numbers of differences, so rows are grouped by that number.
    """
    if not _size(design) or design.floor == 1.0:
        return _effects_leaving(design, sides, 0)
    criticals = design.null.criticals(levels)
    different = np.unique(criticals).tolist()
    if len(different) == 1:
        return _widened(_effects_leaving(design, sides, different[0]), design, sides, levels)
    ratio, low, high = (np.empty(len(sides)) for _column in range(3))
    effects = Effects(ratio, low, high, np.zeros(len(sides), dtype=bool))
    for critical in different:
        rows = np.flatnonzero(criticals == critical)
        some = _effects_leaving(design, sides.rows(rows), critical)
        effects.ratio[rows], effects.low[rows], effects.high[rows] = some.ratio, some.low, some.high
        effects.excludes_one[rows] = some.excludes_one
    return _widened(effects, design, sides, levels)


def _widened(effects: Effects, design: Design, sides: Sides, levels: Floats) -> Effects:
    """Return the hull of these intervals and those of the studentised difference."""
    welch = _studentised(design, sides) if design.floor < 1.0 else None
    if welch is None:
        return effects
    low, high = (_ratio(end) for end in welch.ends(levels))
    excludes = effects.excludes_one & (welch.p_values() <= levels * ROUNDING)
    low = np.where(np.isnan(low), effects.low, np.minimum(effects.low, low))
    high = np.where(np.isnan(high), effects.high, np.maximum(effects.high, high))
    return Effects(effects.ratio, low, high, excludes)


def _effects_leaving(design: Design, sides: Sides, critical: int) -> Effects:
    """Return effects whose interval excludes `critical` differences at each end; none for 0."""
    size = _size(design)
    if not size:
        nothing = np.full(len(sides), np.nan)
        return Effects(nothing, nothing, nothing, np.zeros(len(sides), dtype=bool))
    excluded = max(critical, 1)
    indexes = (size - 1) // 2, size // 2, excluded - 1, size - excluded
    if size > MAX_BATCH_VALUES and design.test != "blocks":
        return _effects(_order_statistics(design, sides, indexes), critical)
    step = max(1, MAX_BATCH_VALUES // size)
    values = [
        _selected(differences(design, sides.rows(slice(at, at + step))), indexes)
        for at in range(0, len(sides), step)
    ]
    return _effects(np.concatenate(values), critical)


def differences(design: Design, sides: Sides) -> Floats:
    """Return all differences of two repeats of a block, or averages of two blocks' ratios.

    Opposite infinities have the difference 0.
    """
    if design.test == "blocks":
        sides = without_drift(design, sides)
    with np.errstate(invalid="ignore"):
        if design.test == "pairs":
            values = _averages(_ratios(sides))
        else:
            values = _within_blocks(design.shape, sides)
    # Only infinities give NaN, and the values are a thousand times fewer than the differences.
    if not (np.isfinite(sides.a).all() and np.isfinite(sides.b).all()):
        values[np.isnan(values)] = 0.0
    return values


def _ratios(sides: Sides) -> Floats:
    """Return the logarithm of each block's ratio; two zeros are equal."""
    with np.errstate(invalid="ignore"):
        values: Floats = sides.b - sides.a
    values[np.isnan(values)] = 0.0
    return values


def _averages(ratios: Floats) -> Floats:
    """Return the averages of each two columns, and of each with itself.

    Slices take a fifth of the time of index arrays.
    """
    rows, blocks = ratios.shape
    averages, at = np.empty((rows, blocks * (blocks + 1) // 2)), 0
    for first in range(blocks):
        end = at + blocks - first
        np.add(ratios[:, first : first + 1], ratios[:, first:], out=averages[:, at:end])
        at = end
    averages /= 2
    return averages


def _within_blocks(shape: Shape, sides: Sides) -> Floats:
    """Return each repeat of `b` minus each one of `a` of the same block."""
    result = np.empty((len(sides), sum(n_a * n_b for n_a, n_b in shape)))
    at = at_a = at_b = 0
    for n_a, n_b in shape:
        a, b = sides.a[:, at_a : at_a + n_a], sides.b[:, at_b : at_b + n_b]
        block = result[:, at : at + n_a * n_b].reshape(len(sides), n_a, n_b, copy=False)
        np.subtract(b[:, None, :], a[:, :, None], out=block)
        at, at_a, at_b = at + n_a * n_b, at_a + n_a, at_b + n_b
    return result


def _size(design: Design) -> int:
    if design.test == "pairs":
        return len(design.shape) * (len(design.shape) + 1) // 2
    return sum(n_a * n_b for n_a, n_b in design.shape)


def _against(values: Floats) -> Ints:
    """Return the number of differences on the smaller side of zero, zeros included."""
    smaller: Ints = np.minimum((values <= 0).sum(axis=1), (values >= 0).sum(axis=1))
    return np.minimum(smaller, values.shape[1])


def _averages_against(ratios: Floats) -> int:
    """Count the averages of one row on the smaller side of zero, without listing them.

    The sign of a sum is exact.
    """
    ordered = np.sort(ratios)
    below, at_most = (_up_to_zero(ordered, side) for side in ("left", "right"))
    return min(at_most, len(ratios) * (len(ratios) + 1) // 2 - below)


def _up_to_zero(ordered: Floats, side: Literal["left", "right"]) -> int:
    """Return the number of averages below zero ("left"), or at most zero ("right")."""
    twice = np.searchsorted(ordered, -ordered, side).sum() + np.searchsorted(ordered, 0.0, side)
    return int(twice) // 2


def _counted(a: Floats, b: Floats) -> int:
    below, at_most = counts_of_differences(
        np.maximum(a, -INFINITE_LOG), np.maximum(b, -INFINITE_LOG)
    )
    return min(at_most, len(a) * len(b) - below)


def _order_statistics(design: Design, sides: Sides, indexes: tuple[int, ...]) -> Floats:
    """Return the order statistics with these indexes, without listing all differences."""
    a, b = np.maximum(sides.a, -INFINITE_LOG), np.maximum(sides.b, -INFINITE_LOG)
    if design.test == "pairs":
        return np.array(
            [kth_averages(row, indexes) for row in np.clip(b - a, -INFINITE_LOG, INFINITE_LOG)]
        )
    return np.array([kth_differences(x, y, indexes) for x, y in zip(a, b, strict=True)])


def _selected(values: Floats, indexes: tuple[int, ...]) -> Floats:
    # Sorting is vectorised; np.partition with several indexes is not and takes twice the time.
    return np.sort(values, axis=1)[:, list(indexes)]


def _effects(values: Floats, critical: int) -> Effects:
    """Convert logarithms of both medians and both ends to ratios; no interval for `critical` 0."""
    lower, upper = values[:, 0], values[:, 1]
    with np.errstate(invalid="ignore"):
        median = np.where(lower == upper, lower, (lower + upper) / 2)
    low, high = values[:, 2], values[:, 3]
    if not critical:
        nothing = np.full(len(values), np.nan)
        return Effects(_ratio(median), nothing, nothing, np.zeros(len(values), dtype=bool))
    return Effects(_ratio(median), _ratio(low), _ratio(high), (low > 0) | (high < 0))


def _ratio(logarithms: Floats) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(logarithms > 700, np.nan, np.exp(logarithms))
