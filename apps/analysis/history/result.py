"""A history worked out: readings by tuning, medians of runs, and what changed when. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from apps.analysis.history.readings import PROPERTIES, ConfigChange, HistoryPoint, RunPoint
from apps.analysis.history.segments import ChangePoint, Segment, points_between, segments_of
from apps.tools.workloads.order import name_key


@dataclass(frozen=True)
class Level:
    """Readings under one tuning, oldest first, and their runs; `stretches`: the runs between
    changes.
    """

    label: str
    readings: tuple[HistoryPoint, ...]
    runs: tuple[RunPoint, ...]
    stretches: tuple[Segment, ...] = ()

    @property
    def median(self) -> float:
        """Of all readings."""
        return median(reading.value for reading in self.readings)

    @property
    def latest(self) -> float | None:
        """The last run's median over that of all runs before it; None without runs before."""
        *before, last = self.runs
        usual = median(point.value for point in before) if before else 0.0
        return last.value / usual if usual else None


@dataclass(frozen=True)
class History:
    """`levels` by name, `marks` and `change_points` by time; `more`: there are older readings than
    these.
    """

    levels: tuple[Level, ...] = ()
    marks: tuple[ConfigChange, ...] = ()
    change_points: tuple[ChangePoint, ...] = ()
    more: bool = False

    @property
    def last(self) -> HistoryPoint | None:
        """The newest reading."""
        return max((level.readings[-1] for level in self.levels), key=_newest, default=None)

    @property
    def readings(self) -> list[HistoryPoint]:
        """All, oldest first."""
        found = [reading for level in self.levels for reading in level.readings]
        return sorted(found, key=_newest)


def top_levels(levels: Sequence[Level], number: int) -> list[Level]:
    """So many of the levels, those with the most runs, in the order of all."""
    ranked = sorted(range(len(levels)), key=lambda place: (-len(levels[place].runs), place))
    return [levels[place] for place in sorted(ranked[:number])]


def history_of(readings: Iterable[HistoryPoint], *, more: bool = False) -> History:
    """The history that readings of one metric and one operation show."""
    rows = sorted(readings, key=_newest)
    levels: dict[str, list[HistoryPoint]] = {}
    for reading in rows:
        levels.setdefault(reading.level, []).append(reading)
    shown = tuple(_level(label, levels[label]) for label in sorted(levels, key=name_key))
    marks = config_changes(rows)
    points = [
        point
        for level in shown
        for point in points_between(
            level.label, level.readings[0].place, level.runs, level.stretches, marks
        )
    ]
    points.sort(key=lambda point: (point.at, name_key(point.level)))
    return History(shown, tuple(marks), tuple(points), more)


def config_changes(readings: Sequence[HistoryPoint]) -> list[ConfigChange]:
    """Changes of properties, by time. Readings whose moment nobody knows say nothing about an
    order, and what one reading does not tell is taken as it was.
    """
    known: dict[tuple[str, str], str] = {}
    found: list[ConfigChange] = []
    for reading in readings:
        if not reading.timed:
            continue
        for what, value in reading.properties:
            before = known.get((reading.place, what))
            if before is not None and before != value:
                found.append(
                    ConfigChange(reading.at, reading.place, what, before, value, reading.run)
                )
            known[reading.place, what] = value
    order = list(PROPERTIES)
    return sorted(found, key=lambda mark: (mark.at, mark.place, order.index(mark.what)))


def _level(label: str, readings: Sequence[HistoryPoint]) -> Level:
    runs: dict[int, list[HistoryPoint]] = {}
    for reading in readings:
        runs.setdefault(reading.run, []).append(reading)
    points = tuple(_point(run, rows) for run, rows in runs.items())
    return Level(label, tuple(readings), points, tuple(segments_of(points)))


def _point(run: int, readings: Sequence[HistoryPoint]) -> RunPoint:
    values = [reading.value for reading in readings]
    timed = all(reading.timed for reading in readings)
    return RunPoint(run, readings[0].at, median(values), len(values), timed)


def _newest(reading: HistoryPoint) -> tuple[datetime, int]:
    return reading.at, reading.measurement
