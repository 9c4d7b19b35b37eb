"""Places at which a series of medians goes from one level to another. Pure.

Values become van der Waerden's normal scores of their ranks (Hajek, Sidak and Sen, Theory of Rank
Tests, 1999, 4.3), so one wild value moves nothing and without a change the statistic's
distribution depends on the number of values alone. Of every place in every interval of seeded
binary segmentation (Kovacs, Buehlmann, Li and Munk, Biometrika 110, 2023) the sums of scores
before and after are held against each other; the farthest apart one above a border is a change,
and what is before and after it is searched in the same way. A dip that ends again is found in an
interval that holds one of its ends. E-divisive (Matteson and James 2014; Hunter, Otava) asks the
same by permutations, which take seconds for five years of daily runs.

Ranks of three runs say little, however far these lie from the rest. So distances from the median
are held against each other in the same way (`_sudden`), cut off at CUT deviations each, so that one
or two wild runs are no change.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import ceil, log, sqrt

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Intervals = list[tuple[int, Places]]
"""Widths of intervals, and where those of each width start."""

MIN_SEGMENT = 3
"""Values there are at least on each side of a change."""
MIN_INTERVAL = 8
"""Values of the shortest interval that is searched."""
MAX_VALUES = 2_000
"""Values that are searched, the newest: five years of daily runs."""
_BORDER, _GROWTH = 2.0, 0.43
"""The border is _BORDER + _GROWTH * log(number of values), fitted by simulation, so that of series
of a year without a change, judged again after each value, at most one in twenty is ever called
changed (`bin/bench history`)."""
CLIP_DEVIATIONS = 5.0
"""Deviations from the median at which a distance is cut off: three runs must lie far, not one."""
MIN_BASE = 10
"""Values on the longer side of a sudden change, from which their deviation is known."""
MIN_DEVIATION = 0.01
"""The least deviation, as a share of the median: no change of less is seen at once."""
MAX_OVERLAP = 0.1
"""Share of the longer side that may lie nearer to the shorter one's median than to its own."""
SUDDEN_THRESHOLD = 6.0
"""The border of sudden changes: of 100 runs without a change fewer than one is called changed, also
under heavy tails (`bin/bench history`).
"""
NORMAL_MAD = 1.4826

_WHOLE = np.zeros(1, dtype=np.intp)
"""The start of the one interval that is all."""


def change_points(values: Sequence[float]) -> list[int]:
    """The places of the first values after each change, ascending."""
    skipped = max(0, len(values) - MAX_VALUES)
    array = np.asarray(values[skipped:], dtype=np.float64)
    border = _BORDER + _GROWTH * log(max(1, len(array)))
    found = _settled(array, _split(array, border), border)
    return [skipped + place for place in found]


def _split(values: Floats, border: float) -> list[int]:
    """The changes of a part, the clearest first, then those before and after it."""
    if len(values) < 2 * MIN_SEGMENT:
        return []
    height, place = _clearest(values, _intervals(len(values)), border)
    if height <= 1:
        return []
    after = [place + later for later in _split(values[place:], border)]
    return [*_split(values[:place], border), place, *after]


def _settled(values: Floats, places: list[int], border: float) -> list[int]:
    """Each change at its place between its neighbours; what is none between them goes."""
    kept: list[int] = []
    for number, _place in enumerate(places):
        start = kept[-1] if kept else 0
        end = places[number + 1] if number + 1 < len(places) else len(values)
        height, place = _clearest(values[start:end], [(end - start, _WHOLE)], border)
        if height > 1:
            kept.append(start + _parted(values[start:end], place))
    return kept


def _clearest(values: Floats, intervals: Intervals, border: float) -> tuple[float, int]:
    """The height of the clearest change in any of these intervals over its border, and its
    place.
    """
    scores = normal_scores(values)
    height, place = max(_farthest(scores, *same) for same in intervals)
    return max((height / border, place), _sudden(values, intervals))


def _sudden(values: Floats, intervals: Intervals) -> tuple[float, int]:
    """The same of changes that few runs show, by their distance from the rest."""
    if len(values) < MIN_SEGMENT + MIN_BASE:
        return 0.0, 0
    apart = clipped_distances(values)
    found = [
        (height / SUDDEN_THRESHOLD, place)
        for width, starts in intervals
        if width >= MIN_SEGMENT + MIN_BASE
        for height, place in [_farthest(apart, width, starts)]
        if height > SUDDEN_THRESHOLD and _stands_out(values, place)
    ]
    return max(found, default=(0.0, 0))


def clipped_distances(values: Floats) -> Floats:
    """Distances from the median in deviations, cut off at CUT."""
    middle = float(np.median(values))
    deviation = NORMAL_MAD * float(np.median(np.abs(values - middle)))
    deviation = max(deviation, MIN_DEVIATION * abs(middle))
    if deviation == 0:
        return np.zeros(len(values))
    found: Floats = np.clip((values - middle) / deviation, -CLIP_DEVIATIONS, CLIP_DEVIATIONS)
    return found


def _stands_out(values: Floats, place: int) -> bool:
    """Whether few values of the longer side lie where the shorter one's do: two modes that take
    turns are no change.
    """
    shorter, longer = sorted((values[:place], values[place:]), key=len)
    if len(longer) < MIN_BASE:
        return False
    to_own, to_other = (np.abs(longer - np.median(side)) for side in (longer, shorter))
    return float((to_other < to_own).mean()) <= MAX_OVERLAP


def _parted(values: Floats, place: int) -> int:
    """The place at which values lie nearest to the medians of before and after. Sums of scores are
    farthest apart some places nearer to the middle where all values after are above all before.
    """
    to_first = np.abs(values - np.median(values[:place]))
    to_second = np.abs(values - np.median(values[place:]))
    gained = np.cumsum(to_second - to_first)
    return MIN_SEGMENT + int(gained[MIN_SEGMENT - 1 : len(values) - MIN_SEGMENT].argmax())


def normal_scores(values: Floats) -> Floats:
    """Normal scores of the ranks with mean 0 and variance 1; equal values share one."""
    # scipy takes half a second to load: commands and pages without a history do without it.
    from scipy.special import ndtri

    raw = ndtri(_ranks(values) / (len(values) + 1))
    spread = raw.std(ddof=1) if len(raw) > 1 else 0.0
    scores: Floats = (raw - raw.mean()) / spread if spread > 0 else np.zeros(len(raw))
    return scores


def _ranks(values: Floats) -> Floats:
    """Ranks from 1 on; equal values share the mean of theirs."""
    _found, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def _farthest(scores: Floats, width: int, starts: Places) -> tuple[float, int]:
    """The largest standardised sum of scores before a place, and the place, of all intervals of one
    width: numpy is called for a dozen widths, not for hundreds of intervals.
    """
    if width < 2 * MIN_SEGMENT:
        return 0.0, 0
    before = np.arange(MIN_SEGMENT, width - MIN_SEGMENT + 1)
    sums = np.cumsum(sliding_window_view(scores, width)[starts], axis=1)
    apart = np.abs(sums[:, before - 1] - before * sums[:, -1:] / width)
    heights = apart / np.sqrt(before * (width - before) / width)
    places = starts + before[heights.argmax(axis=1)]
    return max(zip(heights.max(axis=1).tolist(), places.tolist(), strict=True))


@cache
def _intervals(number: int) -> Intervals:
    """All of it, then intervals shorter by the square root of two each time, half overlapping:
    their width, and where they start.
    """
    found = [(number, _WHOLE)]
    length = number / sqrt(2)
    while length >= MIN_INTERVAL:
        width = ceil(length)
        starts = np.linspace(0, number - width, 2 * ceil(number / length) - 1).round()
        found.append((width, np.unique(starts).astype(np.intp)))
        length /= sqrt(2)
    return found
