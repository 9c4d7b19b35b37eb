"""Changes of a level's medians over time, in words: from what to what, and what changed in the lab
at the same time. Pure.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from apps.analysis.history.readings import ConfigChange, RunPoint
from apps.stats.change_points import change_points

NEAR = 5
"""So many runs before or after a change something that changed in the lab is named beside it; the
place of a change is known no better."""
BAND = 2 * 1.4826
"""Median absolute deviations that a band reaches either way: two standard deviations of normal
noise."""


@dataclass(frozen=True)
class Segment:
    """Runs between two changes: the first, the last, their median, and the band in which nearly all
    of them lie.
    """

    first: RunPoint
    last: RunPoint
    runs: int
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class ChangePoint:
    """A change of a level: the stretches before and after it. `marks`: what changed in the lab at
    its first run (`at_once`), else nearest to it, at most NEAR runs away.
    """

    level: str
    before: Segment
    after: Segment
    marks: tuple[ConfigChange, ...]
    at_once: bool

    @property
    def at(self) -> datetime:
        """When the first run after it was."""
        return self.after.first.at

    @property
    def ratio(self) -> float:
        """The median after it over the one before."""
        return self.after.median / self.before.median


def segments_of(runs: Sequence[RunPoint]) -> list[Segment]:
    """The runs of a level, cut where its medians changed. Runs whose moment nobody knows are left
    out.
    """
    timed = [point for point in runs if point.timed]
    places = change_points([point.value for point in timed])
    borders = [0, *places, len(timed)]
    return [_stretch(timed[start:end]) for start, end in itertools.pairwise(borders) if end]


def _stretch(runs: Sequence[RunPoint]) -> Segment:
    values = [point.value for point in runs]
    middle = median(values)
    reach = BAND * median(abs(value - middle) for value in values)
    return Segment(runs[0], runs[-1], len(runs), middle, max(0.0, middle - reach), middle + reach)


def points_between(
    level: str, place: str, runs: Sequence[RunPoint], stretches: Sequence[Segment],
    marks: Sequence[ConfigChange],
) -> list[ChangePoint]:  # fmt: skip
    """The changes between stretches, with the marks of the same place that stand at them."""
    timed = [point for point in runs if point.timed]
    own = [mark for mark in marks if mark.place == place]
    return [
        ChangePoint(level, before, after, *_marks_at(timed, before, after, own))
        for before, after in itertools.pairwise(stretches)
        if before.median
    ]


def _marks_at(
    runs: Sequence[RunPoint], before: Segment, after: Segment, marks: Sequence[ConfigChange]
) -> tuple[tuple[ConfigChange, ...], bool]:
    """The marks between the two runs that a change lies between; else those of the nearest run."""
    at_once = [
        mark
        for mark in marks
        if before.last.at < mark.at <= after.first.at or mark.run == after.first.run
    ]
    if at_once:
        return tuple(at_once), True
    numbers = {point.run: number for number, point in enumerate(runs)}
    here = numbers[after.first.run]
    away = {mark: abs(numbers.get(mark.run, here + NEAR + 1) - here) for mark in marks}
    nearest = min(away.values(), default=NEAR + 1)
    if nearest > NEAR:
        return (), False
    return tuple(mark for mark in marks if away[mark] == nearest), False
