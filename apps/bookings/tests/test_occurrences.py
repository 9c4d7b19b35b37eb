"""Occurrences of weekly windows, also over a change to summer time, and gaps between closures."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import example, given
from hypothesis import strategies as st

from apps.bookings.domain.occurrences import WEEK, Window, earliest_start, occurrences
from apps.bookings.schemas import Interval

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe")
times = st.datetimes(datetime(2025, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC))
seconds = st.integers(1, int(timedelta(days=5).total_seconds())).map(lambda n: timedelta(seconds=n))


def berlin(month: int, day: int, hour: int) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=BERLIN)


def test_weekly_window_follows_the_wall_clock_over_summer_time() -> None:
    window = Window(berlin(3, 22, 22), berlin(3, 23, 2), "Europe/Berlin", weekly=True)
    rows = occurrences(window, berlin(3, 20, 0), berlin(4, 8, 0))
    assert [(one.start.hour, one.end.hour) for one in rows] == [(21, 1), (20, 0), (20, 0)]


def test_window_over_the_hour_that_is_skipped_is_not_lost() -> None:
    start = datetime(2026, 3, 22, 2, 10, tzinfo=BERLIN)
    window = Window(start, start + timedelta(minutes=40), "Europe/Berlin", weekly=True)
    _first, skipped = occurrences(window, start, start + WEEK + timedelta(days=1))
    assert skipped.start < datetime(2026, 3, 29, 1, 0, tzinfo=UTC) < skipped.end


def test_window_in_the_repeated_hour_covers_both() -> None:
    start = datetime(2026, 10, 18, 2, 0, tzinfo=BERLIN)
    window = Window(start, start + timedelta(minutes=30), "Europe/Berlin", weekly=True)
    _first, repeated = occurrences(window, start, start + WEEK + timedelta(days=1))
    assert repeated.end - repeated.start == timedelta(minutes=90)


def test_weekly_window_ends_with_its_last_day() -> None:
    start = datetime(2026, 1, 1, 8, tzinfo=UTC)
    window = Window(start, start + timedelta(hours=1), weekly=True, repeat_until=date(2026, 1, 15))
    rows = occurrences(window, start - WEEK, start + 10 * WEEK)
    assert [one.start.day for one in rows] == [1, 8, 15]


def test_early_end_cuts_the_present_occurrence_and_all_later_ones() -> None:
    start = datetime(2026, 1, 1, 8, tzinfo=UTC)
    ended = start + WEEK + timedelta(minutes=10)
    window = Window(start, start + timedelta(hours=1), weekly=True, ended_at=ended)
    rows = occurrences(window, start, start + 10 * WEEK)
    assert [one.end for one in rows] == [start + timedelta(hours=1), ended]


@given(times, seconds, st.sampled_from(ZONES), times, st.integers(0, 60))
def test_occurrences_are_in_order_disjoint_and_complete(
    start: datetime, length: timedelta, zone: str, after: datetime, days: int
) -> None:
    window = Window(start, start + length, zone, weekly=True)
    before = after + timedelta(days=days)
    rows = occurrences(window, after, before)
    assert all(one.start < before and one.end > after for one in rows)
    assert all(one.end <= other.start for one, other in pairwise(rows))
    everything = occurrences(window, start - WEEK, before)
    assert rows == [one for one in everything if one.end > after]
    assert all(one.end - one.start >= min(length, timedelta(hours=1)) for one in rows) or (
        length < timedelta(hours=1)
    )


gaps = st.lists(st.tuples(st.integers(0, 100), st.integers(1, 30)), max_size=12)


@given(st.integers(0, 120), st.integers(0, 60), gaps)
@example(0, 0, [(0, 1)])
def test_earliest_start_is_the_first_that_fits(
    now: int, needed: int, closed: list[tuple[int, int]]
) -> None:
    zero = datetime(2026, 1, 1, tzinfo=UTC)

    def at(minute: int) -> datetime:
        return zero + timedelta(minutes=minute)

    intervals = [Interval(at(start), at(start + length)) for start, length in closed]
    start = earliest_start(at(now), timedelta(minutes=needed), intervals)

    def fits(minute: int) -> bool:
        end = at(minute + needed)
        inside = any(one.start <= at(minute) < one.end for one in intervals)
        return not inside and all(one.end <= at(minute) or end <= one.start for one in intervals)

    expected = next(minute for minute in range(now, 400) if fits(minute))
    assert start == at(expected)
