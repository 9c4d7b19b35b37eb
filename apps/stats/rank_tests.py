"""P-values of many comparisons of one design at once.

The rank tests count differences on the smaller side of zero: Mann and Whitney's for unpaired
repeats, the signed-rank test for blocks of one repeat, van Elteren's for larger blocks.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from apps.stats.designs import Design
from apps.stats.differences import (
    INFINITE_LOG,
    MAX_BATCH_VALUES,
    block_ratios,
    difference_count,
    differences,
    studentised_difference,
)
from apps.stats.null_distributions import Floats, Ints
from apps.stats.order_statistics import counts_of_differences
from apps.stats.sides import Sides

MAX_LISTED = 2**12
"""Averages of a row that are listed; larger numbers are counted in the order of the ratios."""


def p_values(design: Design, sides: Sides) -> Floats:
    """Return the two-sided p of each row: the larger of rank test and studentised difference."""
    if design.floor == 1.0:
        return np.ones(len(sides))
    ranked, welch = _rank_p(design, sides), studentised_difference(design, sides)
    return ranked if welch is None else np.maximum(ranked, welch.p_values())


def _rank_p(design: Design, sides: Sides) -> Floats:
    if difference_count(design) > MAX_BATCH_VALUES and design.test == "all":
        counts = np.array([_counted(a, b) for a, b in zip(sides.a, sides.b, strict=True)])
        return design.null.two_sided(counts.astype(np.int64))
    if difference_count(design) > MAX_LISTED and design.test == "pairs":
        counts = np.array([_averages_against(row) for row in block_ratios(sides)])
        return design.null.two_sided(counts)
    step = max(1, MAX_BATCH_VALUES // max(1, difference_count(design)))
    return np.concatenate([
        design.null.two_sided(_against(differences(design, sides.rows(slice(start, start + step)))))
        for start in range(0, len(sides), step)
    ])  # fmt: skip


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
