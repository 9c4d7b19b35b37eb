"""Bars of the calendar: none covers another."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from apps.bookings.schemas import Interval
from apps.runs.domain.calendar import (
    MAX_LANES,
    MIN_WIDTH,
    CalendarEntry,
    calendar_bars,
    lanes_of,
)

MONDAY = datetime(2026, 6, 1, tzinfo=UTC)
WEEK = Interval(MONDAY, MONDAY + timedelta(days=7))


def entry(key: int, minute: float, minutes: float, kind: str = "forecast") -> CalendarEntry:
    start = MONDAY + timedelta(minutes=minute)
    return CalendarEntry(kind, key, Interval(start, start + timedelta(minutes=minutes)), "x")


def test_calendar_bars_short_ones_in_sequence_do_not_cover_a_booking() -> None:
    entries = [entry(1, 0, 9, "booking"), *(entry(key, 9 + key, 1) for key in range(2, 5))]
    bars = calendar_bars(entries, WEEK)
    assert sorted(bar.lane for bar in bars) == [0, 1, 2, 3]


def test_calendar_bars_far_from_each_other_share_a_line() -> None:
    distance = MIN_WIDTH / 100 * 7 * 24 * 60
    bars = calendar_bars([entry(1, 0, 1), entry(2, distance + 1, 1)], WEEK)
    assert [bar.lane for bar in bars] == [0, 0]


def test_calendar_bars_many_at_once_use_a_limited_number_of_lines() -> None:
    bars = calendar_bars([entry(key, key, 1) for key in range(50)], WEEK)
    assert (len(bars), lanes_of(bars)) == (50, MAX_LANES)
