"""Comparison of the spread of two sides, by the distances of repeats from their side's median.

Logarithms of the distances are compared as repeats are (Levene 1960; Brown and Forsythe 1974, with
ranks): their ratio says how many times as variable one side is.
"""

from __future__ import annotations

import numpy as np

from apps.analysis.compare.stats import batch
from apps.analysis.compare.stats.designs import Design
from apps.analysis.compare.stats.guard import levelled
from apps.analysis.compare.stats.nulls import Flags, Floats

LEAST_TIMES = 2.0
"""Ratio of spreads from which one is worth a sentence."""


def design_of_distances(design: Design) -> Design:
    """The design of a comparison's distances: all of one side against all of the other."""
    n_a, n_b = (sum(side) for side in zip(*design.shape, strict=True)) if design.shape else (0, 0)
    return Design("all", ((_left(n_a), _left(n_b)),), design.looks)


def distances(design: Design, sides: batch.Sides) -> batch.Sides:
    """Logarithms of the distances of both sides' repeats from their median, the levels of blocks
    taken out. A row with a value that is not finite has equal ones.
    """
    finite: Flags = np.all(np.isfinite(sides.a), axis=1) & np.all(np.isfinite(sides.b), axis=1)
    a, b = (np.where(finite[:, None], side, 0.0) for side in (sides.a, sides.b))
    if design.test == "blocks":
        flat = batch.without_drift(design, batch.Sides(a, b, sides.times_a, sides.times_b))
        a, b = levelled(design.shape, flat.a, flat.b)
    return batch.Sides(_distances(a), _distances(b))


def _distances(values: Floats) -> Floats:
    """In ascending order. Of an odd number one is its own median: it has no distance."""
    apart = np.abs(values - np.median(values, axis=1, keepdims=True))
    return batch.logarithms(np.sort(apart, axis=1)[:, values.shape[1] % 2 :])


def _left(number: int) -> int:
    return number - number % 2
