"""Occurrences of a weekly window at the same wall-clock time, and free gaps between intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from apps.bookings.schemas import Interval

WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Window:
    """Time of a booking or maintenance window.

    `zone`: time zone whose wall clock a weekly window follows. `repeat_until`: last day in it on
    which a weekly window begins; None without an end. `ended_at`: ended early.
    """

    starts_at: datetime
    ends_at: datetime
    zone: str = "UTC"
    weekly: bool = False
    repeat_until: date | None = None
    ended_at: datetime | None = None


def occurrences(window: Window, after: datetime, before: datetime) -> list[Interval]:
    """Return the occurrences that overlap the time between two timestamps, in order."""
    return [
        one for one in _clipped(window, before, after) if one.end > after and one.start < before
    ]


def _clipped(window: Window, before: datetime, after: datetime) -> Iterator[Interval]:
    """Yield occurrences up to the early end."""
    for one in _all(window, before, after):
        end = one.end if window.ended_at is None else min(one.end, window.ended_at)
        if end > one.start:
            yield Interval(one.start, end)


def _all(window: Window, before: datetime, after: datetime) -> Iterator[Interval]:
    if not window.weekly:
        yield Interval(window.starts_at, window.ends_at)
        return
    zone = ZoneInfo(window.zone)
    first = window.starts_at.astimezone(zone).replace(tzinfo=None)
    last = window.ends_at.astimezone(zone).replace(tzinfo=None)
    # Two weeks back: summer time shifts an occurrence by hours, and one may last six days.
    number = max(0, (after - window.starts_at) // WEEK - 2)
    while True:
        shift = number * WEEK
        if window.repeat_until is not None and (first + shift).date() > window.repeat_until:
            return
        one = Interval(_earliest(first + shift, zone), _latest(last + shift, zone))
        if one.start >= before:
            return
        yield one
        number += 1


def _earliest(wall: datetime, zone: ZoneInfo) -> datetime:
    """Return the first of the instants that a clock shows, which summer time can make two."""
    return min(_instants(wall, zone))


def _latest(wall: datetime, zone: ZoneInfo) -> datetime:
    """Return the last of the instants that a clock shows, so that a window is never too short."""
    return max(_instants(wall, zone))


def _instants(wall: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    both = (wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    first, second = (one.astimezone(UTC) for one in both)
    return first, second


def earliest_start(after: datetime, needed: timedelta, closed: Iterable[Interval]) -> datetime:
    """Return the first time from `after` on with `needed` time before the next closed interval."""
    start = after
    for one in sorted(closed):
        if one.end <= start:
            continue
        if start < one.start and start + needed <= one.start:
            break
        start = one.end
    return start
