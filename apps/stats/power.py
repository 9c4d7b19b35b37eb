"""Power: differences that so many repeats can find, and repeats that a difference takes, from the
noise between repeats.

The tests themselves are asked, on made-up repeats with a normal noise and a fixed seed, so the
answer holds for the very design that is judged: its blocks, its looks, its correction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import ceil, exp, inf, log1p
from statistics import NormalDist

import numpy as np

from apps.stats import batch
from apps.stats.alpha_spending import FIRST_LOOK_SHARE
from apps.stats.designs import Design, design_of
from apps.stats.multiplicity import ALPHA
from apps.stats.null_distributions import Floats, Ints
from apps.stats.samples import Values, clean

POWER = 0.95
"""Share of pages on which a difference that is there is to be found."""
MARGIN = 0.01
"""Added to it for the advice, twice the error of the draws."""
FEWEST, MOST_TRIED = 4, 60
MAX_REPEATS = 1_000
DRAWS, SEED = 2_000, 20_261_122
NORMAL_NOISE = 0.9539
"""The median distance of two values of a normal distribution, in its standard deviation."""

Sizes = Callable[[int], Sequence[int]]
"""So many repeats as blocks: how many of each side each has."""


def repeats_needed(effect: float, noise: float, cells: int, sizes: Sizes) -> int | None:
    """Repeats a side at which `effect` (a share: 0.05) is found 19 times in 20 in one of `cells`
    comparisons; None where more than 1,000 would be needed. `noise`: standard deviation of the
    logarithm of one repeat.
    """
    if noise <= 0:
        return FEWEST
    distance = log1p(effect) / noise
    about = _noether(distance, cells)
    if about > MOST_TRIED:
        return ceil(about) if about <= MAX_REPEATS else None
    tried = range(max(FEWEST, int(about / 3)), MOST_TRIED + 1)
    return next((n for n in tried if _finds(tuple(sizes(n)), distance, cells)), MOST_TRIED)


def detectable(design: Design, noise: float, cells: int) -> float | None:
    """The smallest effect (a share) that this design finds 19 times in 20; None where it cannot
    show any.
    """
    distance = _smallest(design, max(1, cells))
    return None if distance == inf else exp(distance * noise) - 1


def noise_of(
    sides: Sequence[Values], blocks: Sequence[Values | Ints] | None = None
) -> float | None:
    """The standard deviation of the logarithm between repeats of one side, from the median of their
    distances (one bad repeat does not move it much), inside blocks where those are given. None with
    fewer than three distances, or where a repeat measured zero.
    """
    distances: list[float] = []
    for number, side in enumerate(sides):
        labels = None if blocks is None else np.asarray(blocks[number])
        distances += _distances(np.asarray(side, dtype=np.float64), labels)
    if len(distances) < 3:
        return None
    return float(np.median(distances)) / NORMAL_NOISE


def _distances(values: Floats, labels: Floats | Ints | None) -> list[float]:
    kept = np.isfinite(values)
    if not (clean(values) > 0).all():
        return []
    logs = np.log(values[kept])
    first, second = np.triu_indices(len(logs), 1)
    if labels is not None:
        inside = labels[kept][first] == labels[kept][second]
        first, second = first[inside], second[inside]
    found: list[float] = np.abs(logs[first] - logs[second]).tolist()
    return found


def _noether(distance: float, cells: int) -> float:
    """Repeats a side by Noether's (1987) formula, which is close where the distance is small."""
    normal = NormalDist()
    turned = normal.cdf(distance / 2**0.5) - 0.5
    level = normal.inv_cdf(1 - ALPHA * FIRST_LOOK_SHARE / cells / 2) + normal.inv_cdf(POWER)
    return level**2 / (6 * turned**2) if turned else inf


def _finds(sizes: tuple[int, ...], distance: float, cells: int) -> bool:
    return _power(planned(sizes, cells), round(distance, 2), cells) >= POWER + MARGIN


def planned(sizes: Sequence[int], cells: int) -> Design:
    """The design that so many repeats of both sides in blocks have at the planned end."""
    shape, total = tuple((size, size) for size in sizes), sum(sizes)
    return design_of(shape, (total, total), ((len(shape), FIRST_LOOK_SHARE),), cells)


@lru_cache(maxsize=4096)
def _power(design: Design, distance: float, cells: int) -> float:
    """Share of draws in which the design calls a difference of so many standard deviations."""
    drawn = _drawn(design)
    sides = batch.Sides(drawn.a, drawn.b + distance, drawn.times_a, drawn.times_b)
    return float((batch.p_values(design, sides) <= ALPHA / cells).mean())


@lru_cache(maxsize=1024)
def _smallest(design: Design, cells: int) -> float:
    """The smallest distance that is found often enough, to a fiftieth."""
    if design.floor > ALPHA / cells:
        return inf
    low, high = 0.0, 20.0
    while high - low > 0.02:
        middle = (low + high) / 2
        low, high = (low, middle) if _power(design, middle, cells) >= POWER else (middle, high)
    return high


@lru_cache(maxsize=64)
def _drawn(design: Design) -> batch.Sides:
    """Normal repeats of both sides, in random order inside blocks that follow each other."""
    dice = np.random.default_rng(SEED)
    a, b, times_a, times_b, begun = [], [], [], [], 0
    for n_a, n_b in design.shape:
        order = dice.permuted(np.tile(np.arange(n_a + n_b, dtype=np.float64), (DRAWS, 1)), axis=1)
        times_a.append(begun + order[:, :n_a])
        times_b.append(begun + order[:, n_a:])
        begun += n_a + n_b
        a.append(dice.normal(size=(DRAWS, n_a)))
        b.append(dice.normal(size=(DRAWS, n_b)))
    return batch.Sides(*(np.concatenate(part, axis=1) for part in (a, b, times_a, times_b)))
