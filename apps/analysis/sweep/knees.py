"""The knee of a sweep with the range in which a bootstrap of the repeats has it, and whether the
repeats settle it at all. Pure.

The bootstrap draws whole blocks where every value was measured in the same blocks, since the
repeats of one block share its conditions (Davison and Hinkley, Bootstrap Methods and their
Application, 1997, chapter 3); elsewhere it draws the repeats of each value by themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev

import numpy as np

from apps.stats.queueing import MIN_POINTS, SATURATED_SHARE, knee

MIN_REPEATS = 5
MAX_SPREAD = 0.1
RESAMPLES = 1_000
SEED = 1
"""Constant, so that the same results always give the same range."""
TAILS = (2.5, 97.5)

Medians = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Indices = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@dataclass(frozen=True)
class PointSample:
    """The throughput of each repeat at `x`, and the block of each (0: outside of blocks)."""

    x: float
    values: tuple[float, ...]
    blocks: tuple[int, ...]


@dataclass(frozen=True)
class Knee:
    """`low`, `high`: the values that 95 % of the resampled curves have their knee between; the
    last value of the sweep where their rise does not end. `repeats`: the fewest at any value;
    `spread`: the largest standard deviation over the mean.
    """

    x: float
    low: float
    high: float
    repeats: int
    spread: float

    @property
    def is_settled(self) -> bool:
        return self.repeats >= MIN_REPEATS and self.spread <= MAX_SPREAD

    def has(self, x: float) -> bool:
        """Whether the knee may be at this value."""
        return self.low <= x <= self.high


def knee_of(samples: Sequence[PointSample]) -> Knee | None:
    """The knee of the medians; None where they have none. `samples`: x ascending."""
    known = [sample for sample in samples if sample.values]
    x = knee([(sample.x, median(sample.values)) for sample in known])
    if x is None:
        return None
    low, high = _range(known)
    repeats = min(len(sample.values) for sample in known)
    return Knee(x, low, high, repeats, max(_spread(sample.values) for sample in known))


def _spread(values: Sequence[float]) -> float:
    mean = fmean(values)
    return stdev(values) / mean if len(values) > 1 and mean > 0 else 0.0


def _range(samples: Sequence[PointSample]) -> tuple[float, float]:
    assert len(samples) >= MIN_POINTS, "there is a knee"
    medians = _resampled(samples)
    enough = medians >= SATURATED_SHARE * medians.max(axis=1, keepdims=True)
    places = np.percentile(enough.argmax(axis=1), TAILS, method="inverted_cdf")
    low, high = (samples[int(place)].x for place in places)
    return low, high


def _resampled(samples: Sequence[PointSample]) -> Medians:
    """Medians of the resampled repeats: a row is a resample, a column a value of the sweep."""
    dice = np.random.default_rng(SEED)
    rows = _in_blocks(samples)
    if rows is not None:
        drawn: Indices = dice.integers(rows.shape[1], size=(RESAMPLES, rows.shape[1]))
        return np.stack([_medians(row, drawn) for row in rows], axis=1)
    columns = []
    for sample in samples:
        values = np.array(sample.values)
        columns.append(_medians(values, dice.integers(len(values), size=(RESAMPLES, len(values)))))
    return np.stack(columns, axis=1)


def _medians(values: Medians, drawn: Indices) -> Medians:
    found: Medians = np.median(values[drawn].reshape(len(drawn), -1), axis=1)
    return found


def _in_blocks(samples: Sequence[PointSample]) -> Medians | None:
    """The repeats by value of the sweep, block and place within the block; None where not every
    value has equally many in each of the same blocks.
    """
    found = []
    for sample in samples:
        blocks: dict[int, list[float]] = defaultdict(list)
        for value, block in zip(sample.values, sample.blocks, strict=True):
            blocks[block].append(value)
        found.append(blocks)
    numbers = sorted(found[0])
    sizes = {len(values) for blocks in found for values in blocks.values()}
    if 0 in numbers or len(sizes) > 1 or any(sorted(blocks) != numbers for blocks in found):
        return None
    return np.array([[blocks[number] for number in numbers] for blocks in found])
