"""History: results by tuning, medians of runs, and changes. Pure."""

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
    """Results under one tuning, oldest first, with their runs and the segments between changes."""

    label: str
    readings: tuple[HistoryPoint, ...]
    runs: tuple[RunPoint, ...]
    segments: tuple[Segment, ...] = ()

    @property
    def median(self) -> float:
        """Return the median of all results."""
        return median(reading.value for reading in self.readings)

    @property
    def latest(self) -> float | None:
        """Return the last run's median over that of all earlier runs; None without earlier runs."""
        *before, last = self.runs
        usual = median(point.value for point in before) if before else 0.0
        return last.value / usual if usual else None


@dataclass(frozen=True)
class History:
    """Levels by name, configuration changes and change points by time.

    `more`: older results exist.
    """

    levels: tuple[Level, ...] = ()
    marks: tuple[ConfigChange, ...] = ()
    change_points: tuple[ChangePoint, ...] = ()
    more: bool = False

    @property
    def last(self) -> HistoryPoint | None:
        """Return the newest result."""
        return max((level.readings[-1] for level in self.levels), key=_newest, default=None)

    @property
    def readings(self) -> list[HistoryPoint]:
        """Return all results, oldest first."""
        result = [reading for level in self.levels for reading in level.readings]
        return sorted(result, key=_newest)


def top_levels(levels: Sequence[Level], number: int) -> list[Level]:
    """Return the `number` levels with the largest number of runs, in their original order."""
    ranked = sorted(range(len(levels)), key=lambda index: (-len(levels[index].runs), index))
    return [levels[index] for index in sorted(ranked[:number])]


def history_of(readings: Iterable[HistoryPoint], *, more: bool = False) -> History:
    """Return the history of results of one metric and operation."""
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
            level.label, level.readings[0].target, level.runs, level.segments, marks
        )
    ]
    points.sort(key=lambda point: (point.at, name_key(point.level)))
    return History(shown, tuple(marks), tuple(points), more)


def config_changes(readings: Sequence[HistoryPoint]) -> list[ConfigChange]:
    """Return changes of properties, by time.

    Results without a time of measurement are ignored; an unknown value counts as unchanged.
    """
    values: dict[tuple[str, str], str] = {}
    result: list[ConfigChange] = []
    for reading in readings:
        if not reading.timed:
            continue
        for what, value in reading.properties:
            before = values.get((reading.target, what))
            if before is not None and before != value:
                result.append(
                    ConfigChange(reading.at, reading.target, what, before, value, reading.run)
                )
            values[reading.target, what] = value
    order = list(PROPERTIES)
    return sorted(result, key=lambda mark: (mark.at, mark.target, order.index(mark.what)))


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
