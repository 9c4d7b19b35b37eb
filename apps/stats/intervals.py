"""Effects with confidence intervals of many comparisons of one design at once.

An interval excludes as many differences at each end as the rank test of its level.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.stats.designs import Design
from apps.stats.differences import (
    INFINITE_LOG,
    MAX_BATCH_VALUES,
    difference_count,
    differences,
    studentised_difference,
)
from apps.stats.null_distributions import ROUNDING, Flags, Floats
from apps.stats.order_statistics import kth_averages, kth_differences
from apps.stats.sides import Sides


@dataclass(frozen=True)
class Effects:
    """Effects of each row: ratio of b to a, the ends of its interval, and whether 1 is outside."""

    ratio: Floats
    low: Floats
    high: Floats
    excludes_one: Flags


def effects_at(design: Design, sides: Sides, level: float) -> Effects:
    """Return the median difference of each row as a ratio, with its interval of 1 - `level`."""
    critical = design.null.critical(level) if difference_count(design) and design.floor < 1.0 else 0
    return _widened(
        _effects_leaving(design, sides, critical), design, sides, np.full(len(sides), level)
    )


def effects_each(design: Design, sides: Sides, levels: Floats) -> Effects:
    """Return the effects with a level for each row.

    Many levels exclude equal numbers of differences, so rows are grouped by that number.
    """
    if not difference_count(design) or design.floor == 1.0:
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
    welch = studentised_difference(design, sides) if design.floor < 1.0 else None
    if welch is None:
        return effects
    low, high = (_ratio(end) for end in welch.ends(levels))
    excludes = effects.excludes_one & (welch.p_values() <= levels * ROUNDING)
    low = np.where(np.isnan(low), effects.low, np.minimum(effects.low, low))
    high = np.where(np.isnan(high), effects.high, np.maximum(effects.high, high))
    return Effects(effects.ratio, low, high, excludes)


def _effects_leaving(design: Design, sides: Sides, critical: int) -> Effects:
    """Return effects whose interval excludes `critical` differences at each end; none for 0."""
    size = difference_count(design)
    if not size:
        nothing = np.full(len(sides), np.nan)
        return Effects(nothing, nothing, nothing, np.zeros(len(sides), dtype=bool))
    excluded = max(critical, 1)
    indexes = (size - 1) // 2, size // 2, excluded - 1, size - excluded
    if size > MAX_BATCH_VALUES and design.test != "blocks":
        return _effects(_order_statistics(design, sides, indexes), critical)
    step = max(1, MAX_BATCH_VALUES // size)
    values = [
        _selected(differences(design, sides.rows(slice(start, start + step))), indexes)
        for start in range(0, len(sides), step)
    ]
    return _effects(np.concatenate(values), critical)


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
