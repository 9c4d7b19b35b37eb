"""Rows of a calendar: bars of hosts within some days."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.bookings.schemas import Interval


@dataclass(frozen=True)
class CalendarEntry:
    """Time of a host: a booking, maintenance window, running run or forecast of what is queued.

    `kind`: booking, maintenance, requested, running or forecast. `key`: of the booking or run.
    """

    kind: str
    key: int
    interval: Interval
    label: str
    text: str = ""


@dataclass(frozen=True)
class CalendarBar:
    """A bar, in percent of the shown time; `lane`: its line, from 0."""

    entry: CalendarEntry
    left: float
    width: float
    lane: int


def calendar_bars(entries: Iterable[CalendarEntry], shown: Interval) -> list[CalendarBar]:
    """Return the bars of entries that overlap the shown time, cut to it; none cover each other."""
    total = (shown.end - shown.start).total_seconds()
    free_at: list[datetime] = []
    result = []
    for entry in sorted(entries, key=lambda one: (one.interval, one.kind, one.key)):
        start, end = max(entry.interval.start, shown.start), min(entry.interval.end, shown.end)
        if start >= end:
            continue
        lane = _lane(free_at, start, end)
        left = 100.0 * (start - shown.start).total_seconds() / total
        width = 100.0 * (end - start).total_seconds() / total
        result.append(CalendarBar(entry, left, width, lane))
    return result


def _lane(free_at: list[datetime], start: datetime, end: datetime) -> int:
    """Return the first line that is free from `start` on; it is used until `end`."""
    for lane, free in enumerate(free_at):
        if free <= start:
            free_at[lane] = end
            return lane
    free_at.append(end)
    return len(free_at) - 1


def lanes_of(bars: Sequence[CalendarBar]) -> int:
    """Return the number of lines of the bars, at least 1."""
    return max((bar.lane for bar in bars), default=0) + 1
