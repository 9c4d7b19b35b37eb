"""The simulation of the queue: no resource twice, nothing into a closure, bounded, fast."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from apps.bookings.schemas import Closure, Interval
from apps.runs.domain.closures import RunNeed, closed_to
from apps.runs.domain.forecast import QueueItem, forecast, simulate

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOSTS = ("host:1", "host:2", "host:3")


def at(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def closure(number: int, start: int, length: int, host: str, users: frozenset[int]) -> Closure:
    interval = Interval(at(start), at(start + length))
    return Closure(number, interval, frozenset({host}), users, not users, "somebody", "reason")


def item(run: int, user: int, hosts: tuple[str, ...], minutes: float, running: bool) -> QueueItem:
    block = minutes * 60 / 4
    need = RunNeed(block * 1.5, block, minutes * 60, minutes * 90)
    return QueueItem(run, user, frozenset(hosts), need, running)


users = st.sampled_from([frozenset(), frozenset({1}), frozenset({2}), frozenset({1, 2})])
closures_of = st.lists(
    st.tuples(st.integers(-60, 600), st.integers(1, 240), st.sampled_from(HOSTS), users), max_size=6
).map(lambda rows: [closure(number, *row) for number, row in enumerate(rows)])
queued = st.lists(
    st.tuples(
        st.integers(1, 3),
        st.lists(st.sampled_from(HOSTS), min_size=1, max_size=3, unique=True).map(tuple),
        st.floats(1, 300),
    ),
    max_size=8,
).map(lambda rows: [item(10 + number, *row, False) for number, row in enumerate(rows)])
running = st.lists(
    st.tuples(st.integers(1, 3), st.sampled_from(HOSTS), st.floats(1, 300)),
    max_size=3,
    unique_by=lambda row: row[1],
).map(
    lambda rows: [
        item(n, user, (host,), length, True) for n, (user, host, length) in enumerate(rows)
    ]
)


@given(running, queued, closures_of)
def test_no_resource_is_used_twice(
    first: list[QueueItem], rest: list[QueueItem], closures: list[Closure]
) -> None:
    items = [*first, *rest]
    rows = simulate(items, closures, NOW)
    for host in HOSTS:
        times = sorted(
            one.interval for each in items if host in each.resources for one in rows[each.run]
        )
        assert all(one.end <= other.start for one, other in pairwise(times)), times


@given(running, queued, closures_of)
def test_no_queued_run_is_forecast_into_a_closure_of_others(
    first: list[QueueItem], rest: list[QueueItem], closures: list[Closure]
) -> None:
    rows = forecast([*first, *rest], closures, NOW)
    for each in rest:
        result = rows[each.run]
        closed = [one.interval for one in closed_to(each.user, each.resources, closures)]
        assert NOW <= result.start <= result.latest
        for segment in result.segments:
            assert not any(one.start < segment.end and segment.start < one.end for one in closed)
        block = timedelta(seconds=min(each.need.block, each.need.median))
        end = result.start + block
        assert not any(one.start < end and result.start < one.end for one in closed)


@given(running, queued, closures_of)
def test_waiting_is_bounded_and_everything_is_done(
    first: list[QueueItem], rest: list[QueueItem], closures: list[Closure]
) -> None:
    items = [*first, *rest]
    rows = simulate(items, closures, NOW)
    total = timedelta(seconds=sum(max(each.need.median, 1) for each in items))
    open_at = max([NOW, *(one.interval.end for one in closures)])
    for each in items:
        used = sum((s.interval.end - s.interval.start for s in rows[each.run]), timedelta())
        assert abs(used - timedelta(seconds=max(each.need.median, 1))) < timedelta(milliseconds=1)
        assert rows[each.run][-1].interval.end <= open_at + total + timedelta(seconds=1)


def test_run_is_next_after_the_one_that_holds_its_host() -> None:
    items = [item(1, 1, HOSTS[:1], 30, True), item(2, 2, HOSTS[:1], 30, False)]
    result = forecast(items, [], NOW)[2]
    assert (result.start, result.latest) == (at(30), at(45))
    assert (result.after_run, result.booking, result.ahead) == (1, None, 0)


def test_run_waits_for_a_booking_of_others_and_pauses_for_the_next() -> None:
    closures = [
        closure(7, -10, 70, HOSTS[0], frozenset({1})),
        closure(8, 100, 60, HOSTS[0], frozenset({1})),
    ]
    result = forecast([item(2, 2, HOSTS[:1], 60, False)], closures, NOW)[2]
    assert (result.start, result.booking) == (at(60), 7)
    assert result.segments == (Interval(at(60), at(100)), Interval(at(160), at(180)))


def test_run_in_its_own_booking_passes_the_one_that_waits_for_its_end() -> None:
    closures = [closure(7, -10, 70, HOSTS[0], frozenset({1}))]
    items = [item(2, 2, HOSTS[:1], 60, False), item(3, 1, HOSTS[:1], 90, False)]
    rows = forecast(items, closures, NOW)
    assert rows[3].start == NOW
    assert rows[2].start == at(60)
    assert rows[3].segments == (Interval(NOW, at(60)), Interval(at(120), at(150)))


def test_nobody_passes_a_run_that_no_closure_holds() -> None:
    items = [
        item(1, 1, HOSTS[:1], 60, True),
        item(2, 2, HOSTS[:2], 60, False),
        item(3, 1, HOSTS[1:2], 5, False),
    ]
    rows = forecast(items, [], NOW)
    assert (rows[2].start, rows[3].start) == (at(60), at(120))
    assert (rows[3].after_run, rows[3].ahead) == (2, 1)


@given(queued, st.integers(0, 8), closures_of)
def test_requested_booking_enters_no_closure_and_is_never_interrupted(
    rest: list[QueueItem], place: int, closures: list[Closure]
) -> None:
    need = RunNeed(7200, 7200, 7200, 7200)
    request = QueueItem(-1, 0, frozenset(HOSTS[:2]), need, open_to=frozenset({1}))
    items = [*rest[:place], request, *rest[place:]]
    (one,) = simulate(items, closures, NOW)[-1]
    assert one.interval.end - one.interval.start == timedelta(hours=2)
    for closed in closures:
        if closed.resources & request.resources:
            assert (
                one.interval.end <= closed.interval.start
                or closed.interval.end <= one.interval.start
            )
    others = simulate(items, closures, NOW)
    for each in rest:
        if each.user != 1 and each.resources & request.resources:
            times = [s.interval for s in others[each.run]]
            assert all(t.end <= one.interval.start or one.interval.end <= t.start for t in times)
