"""Compare the spread of two levels by the distances of repeats from their level's median.

Logarithms of the distances are compared as repeats are (Levene 1960; Brown and Forsythe 1974, with
ranks). Their ratio is the ratio of spreads.
"""

from __future__ import annotations

import numpy as np

from apps.stats.designs import Design
from apps.stats.null_distributions import Flags, Floats
from apps.stats.sides import Sides, logarithms, without_drift
from apps.stats.studentised import remove_block_means

MIN_RATIO = 2.0
"""Ratio of spreads from which a page mentions it."""


def design_of_distances(design: Design) -> Design:
    """Return the design of the distances: all of one level against all of the other."""
    n_a, n_b = (sum(side) for side in zip(*design.shape, strict=True)) if design.shape else (0, 0)
    return Design("all", ((_left(n_a), _left(n_b)),), design.looks)


def distances(design: Design, sides: Sides) -> Sides:
    """Return log distances of repeats from their level's median, without block effects.

    A row with a value that is not finite has equal distances.
    """
    finite: Flags = np.all(np.isfinite(sides.a), axis=1) & np.all(np.isfinite(sides.b), axis=1)
    a, b = (np.where(finite[:, None], side, 0.0) for side in (sides.a, sides.b))
    if design.test == "blocks":
        flat = without_drift(design, Sides(a, b, sides.times_a, sides.times_b))
        a, b = remove_block_means(design.shape, flat.a, flat.b)
    return Sides(_distances(a), _distances(b))


def _distances(values: Floats) -> Floats:
    """Return them in ascending order. One of an odd number is the median and has none."""
    median_distances = np.abs(values - np.median(values, axis=1, keepdims=True))
    return logarithms(np.sort(median_distances, axis=1)[:, values.shape[1] % 2 :])


def _left(number: int) -> int:
    return number - number % 2
