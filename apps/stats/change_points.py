"""Detect changes of the level in a series of medians.

Values become van der Waerden's normal scores of their ranks (Hajek, Sidak and Sen, Theory of Rank
Tests, 1999, 4.3). So one outlier has no effect, and without a change the distribution of the
statistic depends on the number of values alone. The intervals are those of seeded binary
segmentation (Kovacs, Buehlmann, Li and Munk, Biometrika 110, 2023). At each index of each interval
the sums of scores before and after are compared. The largest difference above a threshold is a
change; the parts before and after it are searched in the same way. A temporary change is found in
an interval with one of its ends. E-divisive (Matteson and James 2014; Hunter, Otava) tests the same
by permutations, which take seconds for five years of daily runs.

Ranks of three runs have little power, however distant these are. So distances from the median are
compared in the same way (`_sudden`). They are clipped at CLIP_DEVIATIONS each, so one or two
outliers are no change.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import ceil, log, sqrt

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from apps.stats.null_distributions import Floats
from apps.stats.spread import NORMAL_MAD

Indexes = npt.NDArray[np.intp]
Intervals = list[tuple[int, Indexes]]
"""Widths of intervals, and the start indexes of each width."""

MIN_SEGMENT = 3
"""Minimum number of values on each side of a change."""
MIN_INTERVAL = 8
"""Length of the shortest interval that is searched."""
MAX_VALUES = 2_000
"""Number of newest values that are searched: five years of daily runs."""
_BASE_THRESHOLD, _GROWTH = 2.0, 0.43
"""The threshold is _BASE_THRESHOLD + _GROWTH * log(number of values), fitted by simulation.

In series of a year without a change, tested after each value, at most 5 % ever have a change
(`bin/bench history`).
"""
CLIP_DEVIATIONS = 5.0
"""Distances are clipped at this many deviations: three runs must be distant, not one."""
MIN_BASE = 10
"""Minimum number of values on the longer side of a sudden change, to estimate their deviation."""
MIN_DEVIATION = 0.01
"""Minimum deviation as a share of the median; smaller sudden changes are ignored."""
MAX_OVERLAP = 0.1
"""Share of the longer side that may be nearer to the shorter side's median than to its own."""
SUDDEN_THRESHOLD = 6.0
"""Threshold of sudden changes.

Fewer than 1 % of runs without a change have one, also under heavy tails (`bin/bench history`).
"""

_WHOLE = np.zeros(1, dtype=np.intp)
"""Start index of the interval of all values."""


def change_points(values: Sequence[float]) -> list[int]:
    """Return the indexes of the first values after each change, ascending."""
    skipped = max(0, len(values) - MAX_VALUES)
    array = np.asarray(values[skipped:], dtype=np.float64)
    threshold = _BASE_THRESHOLD + _GROWTH * log(max(1, len(array)))
    changes = _confirmed(array, _split(array, threshold), threshold)
    return [skipped + index for index in changes]


def _split(values: Floats, threshold: float) -> list[int]:
    """Return the changes of a part: the clearest one, then those before and after it."""
    if len(values) < 2 * MIN_SEGMENT:
        return []
    height, index = _clearest(values, _intervals(len(values)), threshold)
    if height <= 1:
        return []
    after = [index + after_index for after_index in _split(values[index:], threshold)]
    return [*_split(values[:index], threshold), index, *after]


def _confirmed(values: Floats, indexes: list[int], threshold: float) -> list[int]:
    """Return each change at its index between its neighbours, if it exceeds the threshold."""
    confirmed: list[int] = []
    for number, _index in enumerate(indexes):
        start = confirmed[-1] if confirmed else 0
        end = indexes[number + 1] if number + 1 < len(indexes) else len(values)
        height, index = _clearest(values[start:end], [(end - start, _WHOLE)], threshold)
        if height > 1:
            confirmed.append(start + _boundary(values[start:end], index))
    return confirmed


def _clearest(values: Floats, intervals: Intervals, threshold: float) -> tuple[float, int]:
    """Return height over threshold and index of the clearest change in these intervals."""
    scores = normal_scores(values)
    height, index = max(_farthest(scores, *same) for same in intervals)
    return max((height / threshold, index), _sudden(values, intervals))


def _sudden(values: Floats, intervals: Intervals) -> tuple[float, int]:
    """Return height over threshold and index of a change in few runs, by distances."""
    if len(values) < MIN_SEGMENT + MIN_BASE:
        return 0.0, 0
    distances = clipped_distances(values)
    changes = [
        (height / SUDDEN_THRESHOLD, index)
        for width, starts in intervals
        if width >= MIN_SEGMENT + MIN_BASE
        for height, index in [_farthest(distances, width, starts)]
        if height > SUDDEN_THRESHOLD and _stands_out(values, index)
    ]
    return max(changes, default=(0.0, 0))


def clipped_distances(values: Floats) -> Floats:
    """Return distances from the median in deviations, clipped at CLIP_DEVIATIONS."""
    median = float(np.median(values))
    deviation = NORMAL_MAD * float(np.median(np.abs(values - median)))
    deviation = max(deviation, MIN_DEVIATION * abs(median))
    if deviation == 0:
        return np.zeros(len(values))
    distances: Floats = np.clip((values - median) / deviation, -CLIP_DEVIATIONS, CLIP_DEVIATIONS)
    return distances


def _stands_out(values: Floats, index: int) -> bool:
    """Return True if few values of the longer side are near the shorter side's median.

    Two alternating modes are no change.
    """
    shorter, longer = sorted((values[:index], values[index:]), key=len)
    if len(longer) < MIN_BASE:
        return False
    to_own, to_other = (np.abs(longer - np.median(side)) for side in (longer, shorter))
    return float((to_other < to_own).mean()) <= MAX_OVERLAP


def _boundary(values: Floats, index: int) -> int:
    """Return the index that minimises the distances to the medians before and after.

    If all later values are above all earlier ones, the largest sum of scores is nearer to the
    centre.
    """
    to_first = np.abs(values - np.median(values[:index]))
    to_second = np.abs(values - np.median(values[index:]))
    gained = np.cumsum(to_second - to_first)
    return MIN_SEGMENT + int(gained[MIN_SEGMENT - 1 : len(values) - MIN_SEGMENT].argmax())


def normal_scores(values: Floats) -> Floats:
    """Return the normal scores of the ranks with mean 0 and variance 1.

    Equal values have one score.
    """
    # Lazy import: scipy takes 0.5 s to load, and most commands and pages do not need it.
    from scipy.special import ndtri

    raw = ndtri(_ranks(values) / (len(values) + 1))
    spread = raw.std(ddof=1) if len(raw) > 1 else 0.0
    scores: Floats = (raw - raw.mean()) / spread if spread > 0 else np.zeros(len(raw))
    return scores


def _ranks(values: Floats) -> Floats:
    """Return ranks from 1; equal values have their mean rank."""
    _unique, indexes, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[indexes]
    return ranks


def _farthest(scores: Floats, width: int, starts: Indexes) -> tuple[float, int]:
    """Return the largest standardised sum of scores before an index, and the index.

    All intervals of one width are computed in one call of numpy.
    """
    if width < 2 * MIN_SEGMENT:
        return 0.0, 0
    before = np.arange(MIN_SEGMENT, width - MIN_SEGMENT + 1)
    sums = np.cumsum(sliding_window_view(scores, width)[starts], axis=1)
    distances = np.abs(sums[:, before - 1] - before * sums[:, -1:] / width)
    heights = distances / np.sqrt(before * (width - before) / width)
    indexes = starts + before[heights.argmax(axis=1)]
    return max(zip(heights.max(axis=1).tolist(), indexes.tolist(), strict=True))


@cache
def _intervals(number: int) -> Intervals:
    """Return width and start indexes of seeded intervals.

    The first interval has all values. The widths decrease by a factor of sqrt(2); intervals overlap
    by half.
    """
    intervals = [(number, _WHOLE)]
    length = number / sqrt(2)
    while length >= MIN_INTERVAL:
        width = ceil(length)
        starts = np.linspace(0, number - width, 2 * ceil(number / length) - 1).round()
        intervals.append((width, np.unique(starts).astype(np.intp)))
        length /= sqrt(2)
    return intervals
