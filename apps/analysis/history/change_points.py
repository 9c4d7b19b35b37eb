"""Places at which a series of medians goes from one level to another. Pure.

Values become van der Waerden's normal scores of their ranks (Hajek, Sidak and Sen, Theory of Rank
Tests, 1999, 4.3), so one wild value moves nothing and without a change the statistic's
distribution depends on the number of values alone. Of every place in every interval of seeded
binary segmentation (Kovacs, Buehlmann, Li and Munk, Biometrika 110, 2023) the sums of scores
before and after are held against each other; the farthest apart one above a border is a change,
and what is before and after it is searched in the same way. A dip that ends again is found in an
interval that holds one of its ends. E-divisive (Matteson and James 2014; Hunter, Otava) asks the
same by permutations, which take seconds for five years of daily runs.
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

LEAST = 3
"""Values there are at least on each side of a change."""
SHORTEST = 8
"""Values of the shortest interval that is searched."""
MOST = 2_000
"""Values that are searched, the newest: five years of daily runs."""
_BORDER, _GROWTH = 2.0, 0.43
"""The border is _BORDER + _GROWTH * log(number of values), fitted by simulation, so that of series
of a year without a change, judged again after each value, at most one in twenty is ever called
changed (`bin/bench history`)."""

_WHOLE = np.zeros(1, dtype=np.intp)
"""The start of the one interval that is all."""


def change_points(values: Sequence[float]) -> list[int]:
    """The places of the first values after each change, ascending."""
    skipped = max(0, len(values) - MOST)
    array = np.asarray(values[skipped:], dtype=np.float64)
    border = _BORDER + _GROWTH * log(max(1, len(array)))
    found = _settled(array, _split(array, border), border)
    return [skipped + place for place in found]


def _split(values: Floats, border: float) -> list[int]:
    """The changes of a part, the clearest first, then those before and after it."""
    if len(values) < 2 * LEAST:
        return []
    scores = normal_scores(values)
    height, place = max(_farthest(scores, *same) for same in _intervals(len(values)))
    if height <= border:
        return []
    after = [place + later for later in _split(values[place:], border)]
    return [*_split(values[:place], border), place, *after]


def _settled(values: Floats, places: list[int], border: float) -> list[int]:
    """Each change at its place between its neighbours; what is none between them goes."""
    kept: list[int] = []
    for number, _place in enumerate(places):
        start = kept[-1] if kept else 0
        end = places[number + 1] if number + 1 < len(places) else len(values)
        height, place = _farthest(normal_scores(values[start:end]), end - start, _WHOLE)
        if height > border:
            kept.append(start + _parted(values[start:end], place))
    return kept


def _parted(values: Floats, place: int) -> int:
    """The place at which values lie nearest to the medians of before and after. Sums of scores are
    farthest apart some places nearer to the middle where all values after are above all before.
    """
    to_first = np.abs(values - np.median(values[:place]))
    to_second = np.abs(values - np.median(values[place:]))
    gained = np.cumsum(to_second - to_first)
    return LEAST + int(gained[LEAST - 1 : len(values) - LEAST].argmax())


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
    if width < 2 * LEAST:
        return 0.0, 0
    before = np.arange(LEAST, width - LEAST + 1)
    sums = np.cumsum(sliding_window_view(scores, width)[starts], axis=1)
    apart = np.abs(sums[:, before - 1] - before * sums[:, -1:] / width)
    heights = apart / np.sqrt(before * (width - before) / width)
    places = starts + before[heights.argmax(axis=1)]
    return max(zip(heights.max(axis=1).tolist(), places.tolist(), strict=True))


@cache
def _intervals(number: int) -> list[tuple[int, Places]]:
    """All of it, then intervals shorter by the square root of two each time, half overlapping:
    their width, and where they start.
    """
    found = [(number, _WHOLE)]
    length = number / sqrt(2)
    while length >= SHORTEST:
        width = ceil(length)
        starts = np.linspace(0, number - width, 2 * ceil(number / length) - 1).round()
        found.append((width, np.unique(starts).astype(np.intp)))
        length /= sqrt(2)
    return found
