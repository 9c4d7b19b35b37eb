"""Power: detectable differences and needed repeats, from the noise between repeats.

The tests run on simulated repeats with normal noise and a fixed seed, so the result holds for the
actual design: its blocks, looks and correction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import ceil, exp, inf, log1p
from statistics import NormalDist

import numpy as np

from apps.stats.alpha_spending import FIRST_LOOK_SHARE
from apps.stats.designs import Design, design_of
from apps.stats.multiplicity import ALPHA
from apps.stats.null_distributions import Floats, Ints
from apps.stats.rank_tests import p_values
from apps.stats.repeats import MIN_REPEATS
from apps.stats.samples import Values, clean
from apps.stats.sides import Sides

POWER = 0.95
"""Share of pages on which an existing difference is found."""
MARGIN = 0.01
"""Added to POWER for recommendations: twice the simulation error."""
MAX_TRIED = 60
MAX_REPEATS = 1_000
DRAWS, SEED = 2_000, 20_261_122
NORMAL_NOISE = 0.9539
"""Median distance of two values of a normal distribution, in standard deviations."""

Sizes = Callable[[int], Sequence[int]]
"""Function from a number of repeats to the repeats of each level in each block."""


def repeats_needed(effect: float, noise: float, cells: int, sizes: Sizes) -> int | None:
    """Return the repeats of each level at which `effect` (a share: 0.05) is found with POWER.

    - `noise`: standard deviation of the logarithm of one repeat.
    - `cells`: number of comparisons.

    None above 1,000 repeats.
    """
    if noise <= 0:
        return MIN_REPEATS
    distance = log1p(effect) / noise
    estimate = repeats_by_formula(distance, cells)
    if estimate > MAX_TRIED:
        return ceil(estimate) if estimate <= MAX_REPEATS else None
    tried = range(max(MIN_REPEATS, int(estimate / 3)), MAX_TRIED + 1)
    return next((n for n in tried if _finds(tuple(sizes(n)), distance, cells)), MAX_TRIED)


def detectable(design: Design, noise: float, cells: int) -> float | None:
    """Return the smallest effect (a share) that this design finds with POWER, else None."""
    distance = _smallest(design, max(1, cells))
    return None if distance == inf else exp(distance * noise) - 1


def noise_of(
    sides: Sequence[Values], blocks: Sequence[Values | Ints] | None = None
) -> float | None:
    """Return the standard deviation of the logarithm between repeats of one level.

    It is the median of their distances, so one outlier has little effect; with `blocks` only
    distances inside blocks are used. None with fewer than three distances, or if a repeat measured
    zero.
    """
    distances: list[float] = []
    for number, side in enumerate(sides):
        labels = None if blocks is None else np.asarray(blocks[number])
        distances += _distances(np.asarray(side, dtype=np.float64), labels)
    if len(distances) < 3:
        return None
    return float(np.median(distances)) / NORMAL_NOISE


def _distances(values: Floats, labels: Floats | Ints | None) -> list[float]:
    is_finite = np.isfinite(values)
    if not (clean(values) > 0).all():
        return []
    logs = np.log(values[is_finite])
    first, second = np.triu_indices(len(logs), 1)
    if labels is not None:
        inside = labels[is_finite][first] == labels[is_finite][second]
        first, second = first[inside], second[inside]
    distances: list[float] = np.abs(logs[first] - logs[second]).tolist()
    return distances


def repeats_by_formula(distance: float, cells: int) -> float:
    """Return repeats of each level by Noether's formula (1987), accurate for small distances.

    `distance`: of the levels, in standard deviations of one repeat. It takes microseconds, where
    `repeats_needed` simulates.
    """
    normal = NormalDist()
    probability = normal.cdf(distance / 2**0.5) - 0.5
    level = normal.inv_cdf(1 - ALPHA * FIRST_LOOK_SHARE / cells / 2) + normal.inv_cdf(POWER)
    return level**2 / (6 * probability**2) if probability else inf


def _finds(sizes: tuple[int, ...], distance: float, cells: int) -> bool:
    return _power(planned(sizes, cells), round(distance, 2), cells) >= POWER + MARGIN


def planned(sizes: Sequence[int], cells: int) -> Design:
    """Return the design of so many repeats of both levels in blocks at the planned end."""
    shape, total = tuple((size, size) for size in sizes), sum(sizes)
    return design_of(shape, (total, total), ((len(shape), FIRST_LOOK_SHARE),), cells)


@lru_cache(maxsize=4096)
def _power(design: Design, distance: float, cells: int) -> float:
    """Return the share of draws in which the design shows a difference of so many deviations."""
    drawn = _drawn(design)
    sides = Sides(drawn.a, drawn.b + distance, drawn.times_a, drawn.times_b)
    return float((p_values(design, sides) <= ALPHA / cells).mean())


@lru_cache(maxsize=1024)
def _smallest(design: Design, cells: int) -> float:
    """Return the smallest distance that is found with POWER, accurate to 0.02."""
    if design.floor > ALPHA / cells:
        return inf
    low, high = 0.0, 20.0
    while high - low > 0.02:
        midpoint = (low + high) / 2
        low, high = (
            (low, midpoint) if _power(design, midpoint, cells) >= POWER else (midpoint, high)
        )
    return high


@lru_cache(maxsize=64)
def _drawn(design: Design) -> Sides:
    """Draw normal repeats of both levels, in random order inside consecutive blocks."""
    rng = np.random.default_rng(SEED)
    a, b, times_a, times_b, elapsed = [], [], [], [], 0
    for n_a, n_b in design.shape:
        order = rng.permuted(np.tile(np.arange(n_a + n_b, dtype=np.float64), (DRAWS, 1)), axis=1)
        times_a.append(elapsed + order[:, :n_a])
        times_b.append(elapsed + order[:, n_a:])
        elapsed += n_a + n_b
        a.append(rng.normal(size=(DRAWS, n_a)))
        b.append(rng.normal(size=(DRAWS, n_b)))
    return Sides(*(np.concatenate(part, axis=1) for part in (a, b, times_a, times_b)))
