"""Change points of a level's medians, with the configuration changes near them. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from apps.analysis.history.readings import ConfigChange, RunPoint
from apps.stats.change_points import change_points
from apps.stats.spread import median_and_interval

MAX_DISTANCE_RUNS = 5
"""Limit of runs between a change point and a configuration change: the precision of change points.
"""
BAND_MADS = 2 * 1.4826
"""Half width of a band in median absolute deviations: two standard deviations of normal noise."""


@dataclass(frozen=True)
class Segment:
    """Runs between two changes: first, last, median, and the band of nearly all values.

    `median_interval`: exact interval of at least 95 % for the median, from six runs on.
    """

    first: RunPoint
    last: RunPoint
    runs: int
    median: float
    low: float
    high: float
    median_interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class ChangePoint:
    """Change of a level: the segments before and after it.

    `marks`: configuration changes at its first run (`at_once`), else the nearest, at most NEAR runs
    away.
    """

    level: str
    before: Segment
    after: Segment
    marks: tuple[ConfigChange, ...]
    at_once: bool

    @property
    def at(self) -> datetime:
        """Return the time of the first run after the change."""
        return self.after.first.at

    @property
    def ratio(self) -> float:
        """Return the median after the change over the median before it."""
        return self.after.median / self.before.median


def segments_of(runs: Sequence[RunPoint]) -> list[Segment]:
    """Return the runs of a level, split at change points.

    Runs without a measurement time are omitted.
    """
    timed = [point for point in runs if point.timed]
    indices = change_points([point.value for point in timed])
    borders = [0, *indices, len(timed)]
    return [_segment(timed[start:end]) for start, end in itertools.pairwise(borders) if end]


def _segment(runs: Sequence[RunPoint]) -> Segment:
    values = [point.value for point in runs]
    center = median(values)
    reach = BAND_MADS * median(abs(value - center) for value in values)
    band = max(0.0, center - reach), center + reach
    _median, low, high = median_and_interval(values)
    interval = None if low is None or high is None else (low, high)
    return Segment(runs[0], runs[-1], len(runs), center, *band, interval)


def points_between(
    level: str, target: str, runs: Sequence[RunPoint], segments: Sequence[Segment],
    marks: Sequence[ConfigChange],
) -> list[ChangePoint]:  # fmt: skip
    """Return the changes between segments, with the configuration changes at the same target."""
    timed = [point for point in runs if point.timed]
    own = [mark for mark in marks if mark.target == target]
    return [
        ChangePoint(level, before, after, *_marks_at(timed, before, after, own))
        for before, after in itertools.pairwise(segments)
        if before.median
    ]


def _marks_at(
    runs: Sequence[RunPoint], before: Segment, after: Segment, marks: Sequence[ConfigChange]
) -> tuple[tuple[ConfigChange, ...], bool]:
    """Return the configuration changes at a change point, else those of the nearest run."""
    at_once = [
        mark
        for mark in marks
        if before.last.at < mark.at <= after.first.at or mark.run == after.first.run
    ]
    if at_once:
        return tuple(at_once), True
    numbers = {point.run: number for number, point in enumerate(runs)}
    here = numbers[after.first.run]
    distances = {
        mark: abs(numbers.get(mark.run, here + MAX_DISTANCE_RUNS + 1) - here) for mark in marks
    }
    nearest = min(distances.values(), default=MAX_DISTANCE_RUNS + 1)
    if nearest > MAX_DISTANCE_RUNS:
        return (), False
    return tuple(mark for mark in marks if distances[mark] == nearest), False
