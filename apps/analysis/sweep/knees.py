"""Knee of a sweep with the bootstrap range of its position. Pure.

The bootstrap draws whole blocks if every value was measured in the same blocks, since the repeats
of one block share conditions (Davison and Hinkley, Bootstrap Methods and their Application, 1997,
chapter 3); else it draws the repeats of each value separately.
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
"""Constant, so that equal results have equal ranges."""
TAILS = (2.5, 97.5)

Medians = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Indices = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@dataclass(frozen=True)
class PointSample:
    """Throughput of each repeat at `x`, and its block (0: without blocks)."""

    x: float
    values: tuple[float, ...]
    blocks: tuple[int, ...]


@dataclass(frozen=True)
class Knee:
    """Knee with its 95 % bootstrap range.

    `low`, `high`: the last value of the sweep if the rise does not end. `repeats`: minimum of all
    values; `spread`: largest standard deviation over the mean.
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
        """Return True if the value is within the range."""
        return self.low <= x <= self.high


def knee_of(samples: Sequence[PointSample]) -> Knee | None:
    """Return the knee of the medians, or None. `samples`: x ascending."""
    measured = [sample for sample in samples if sample.values]
    x = knee([(sample.x, median(sample.values)) for sample in measured])
    if x is None:
        return None
    low, high = _range(measured)
    repeats = min(len(sample.values) for sample in measured)
    return Knee(x, low, high, repeats, max(_spread(sample.values) for sample in measured))


def _spread(values: Sequence[float]) -> float:
    mean = fmean(values)
    return stdev(values) / mean if len(values) > 1 and mean > 0 else 0.0


def _range(samples: Sequence[PointSample]) -> tuple[float, float]:
    assert len(samples) >= MIN_POINTS, "a knee exists"
    medians = _resampled(samples)
    enough = medians >= SATURATED_SHARE * medians.max(axis=1, keepdims=True)
    indices = np.percentile(enough.argmax(axis=1), TAILS, method="inverted_cdf")
    low, high = (samples[int(index)].x for index in indices)
    return low, high


def _resampled(samples: Sequence[PointSample]) -> Medians:
    """Return medians of resampled repeats: a row per resample, a column per value of the sweep."""
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
    result: Medians = np.median(values[drawn].reshape(len(drawn), -1), axis=1)
    return result


def _in_blocks(samples: Sequence[PointSample]) -> Medians | None:
    """Return repeats by value, block and index; None unless blocks are equal for all values."""
    result = []
    for sample in samples:
        blocks: dict[int, list[float]] = defaultdict(list)
        for value, block in zip(sample.values, sample.blocks, strict=True):
            blocks[block].append(value)
        result.append(blocks)
    numbers = sorted(result[0])
    sizes = {len(values) for blocks in result for values in blocks.values()}
    if 0 in numbers or len(sizes) > 1 or any(sorted(blocks) != numbers for blocks in result):
        return None
    return np.array([[blocks[number] for number in numbers] for blocks in result])
