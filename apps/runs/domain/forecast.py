"""Forecast of the starts of queued runs: a simulation of the queue's rules.

Runs and requested bookings are taken in the order of the queue. Each starts when all of its
resources are free and its next block fits before the next closure, pauses during closures and goes
on afterwards. It passes one before it only while a closure holds that one, as
`apps.runs.selectors.admission` decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from apps.bookings.domain.occurrences import earliest_start
from apps.bookings.schemas import Closure, Interval
from apps.runs.domain.closures import BACKFILL_MARGIN, MAX_BLOCK_WAIT, RunNeed, closed_to


@dataclass(frozen=True)
class QueueItem:
    """An open run: its owner, resources and need. Running ones come before queued ones.

    A requested booking has its negated id as `run`, and no `user`. Its time is not closed to the
    users in `open_to`.
    """

    run: int
    user: int
    resources: frozenset[str]
    need: RunNeed
    is_running: bool = False
    open_to: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Segment:
    """Time in which a run uses its resources. `is_held`: a closure delayed its begin.

    `open_to`: users whose runs may use them too.
    """

    run: int
    interval: Interval
    is_held: bool = False
    open_to: frozenset[int] = frozenset()


@dataclass(frozen=True)
class StartForecast:
    """Expected and latest start of a queued run, if nothing is added to the queue.

    `after_run`: the run after which it is next, None if it waits for none; `after_request`: the
    requested booking. `booking`: the booking or window that it waits for. `ahead`: what is queued
    before it and needs one of its resources.
    `segments`: expected times of use.
    """

    run: int
    start: datetime
    latest: datetime
    after_run: int | None
    booking: int | None
    ahead: int
    segments: tuple[Interval, ...] = ()
    after_request: int | None = None


@dataclass
class _Lab:
    """Segments by resource, and what is known of the placed runs."""

    segments: dict[str, list[Segment]] = field(default_factory=lambda: defaultdict(list))
    first: dict[int, Segment] = field(default_factory=dict)

    def on(self, resources: frozenset[str]) -> list[Segment]:
        """Return the segments on any of these resources, by begin, each once."""
        rows = {segment for name in resources for segment in self.segments.get(name, ())}
        return sorted(rows, key=lambda one: (one.interval, one.run))

    def add(self, item: QueueItem, rows: Sequence[Segment]) -> None:
        self.first.setdefault(item.run, rows[0])
        for name in item.resources:
            self.segments[name].extend(rows)


@dataclass(frozen=True)
class _Placed:
    segments: tuple[Segment, ...]
    after_run: int | None = None
    booking: int | None = None


def forecast(
    items: Sequence[QueueItem], closures: Sequence[Closure], now: datetime
) -> dict[int, StartForecast]:
    """Return the forecast of each queued run by its id."""
    median = _simulate(items, closures, now, lambda need: need.median)
    late = _simulate(items, closures, now, lambda need: max(need.p90, need.median))
    ahead = dict(_ahead(items))
    result = {}
    for item in items:
        if item.is_running:
            continue
        placed, slow = median[item.run], late[item.run]
        start = placed.segments[0].interval.start
        result[item.run] = StartForecast(
            run=item.run,
            start=start,
            latest=max(start, slow.segments[0].interval.start),
            after_run=_positive(placed.after_run),
            after_request=_positive(-placed.after_run) if placed.after_run else None,
            booking=placed.booking,
            ahead=ahead[item.run],
            segments=tuple(one.interval for one in placed.segments),
        )
    return result


def _positive(number: int | None) -> int | None:
    return number if number is not None and number > 0 else None


def simulate(
    items: Sequence[QueueItem], closures: Sequence[Closure], now: datetime
) -> dict[int, tuple[Segment, ...]]:
    """Return the expected segments of every run by its id."""
    rows = _simulate(items, closures, now, lambda need: need.median)
    return {run: placed.segments for run, placed in rows.items()}


def _simulate(
    items: Sequence[QueueItem],
    closures: Sequence[Closure],
    now: datetime,
    total_of: Callable[[RunNeed], float],
) -> dict[int, _Placed]:
    lab = _Lab()
    result = {}
    by_resource = _closures_by_resource(closures)
    for item in items:
        own = {one for name in item.resources for one in by_resource.get(name, ())}
        closed = closed_to(item.user, item.resources, own)
        total = timedelta(seconds=max(total_of(item.need), 1.0))
        if item.is_running:
            placed = _Placed(_segments(item, now, total, [one.interval for one in closed]))
        else:
            open_ = [one.interval for one in own if one.is_open_to(item.user)]
            placed = _place(lab, item, total, closed, open_, now)
        lab.add(item, placed.segments)
        result[item.run] = placed
    return result


def _closures_by_resource(closures: Sequence[Closure]) -> dict[str, list[Closure]]:
    result: dict[str, list[Closure]] = defaultdict(list)
    for closure in closures:
        for name in closure.resources:
            result[name].append(closure)
    return result


def _place(
    lab: _Lab,
    item: QueueItem,
    total: timedelta,
    closed: Sequence[Closure],
    own: Sequence[Interval],
    now: datetime,
) -> _Placed:
    """Return when the run uses its resources: in a gap that it may take, else after all others."""
    everything = lab.on(item.resources)
    own_requests = [one for one in everything if item.user in one.open_to]
    busy = [one for one in everything if item.user not in one.open_to]
    now = max([now, *(one.interval.start for one in own_requests)])
    intervals = [one.interval for one in closed]
    last = max(busy, key=lambda one: one.interval.end, default=None)
    free_at = max(now, last.interval.end) if last else now
    for gap in _gaps(busy, now):
        if rows := _in_gap(lab, item, total, gap, intervals, own, busy, free_at):
            return _Placed(rows)
    start = _fitting(item.need, free_at, intervals)
    rows = _segments(item, start, total, intervals, is_held=start > free_at)
    if start > free_at:
        blocking = next(one for one in closed if one.interval.end > free_at)
        return _Placed(rows, booking=blocking.booking_id)
    return _Placed(rows, after_run=last.run if last and start > now else None)


def _in_gap(
    lab: _Lab,
    item: QueueItem,
    total: timedelta,
    gap: Interval,
    intervals: Sequence[Interval],
    own: Sequence[Interval],
    busy: Sequence[Segment],
    free_at: datetime,
) -> tuple[Segment, ...]:
    """Return the segments of a run that passes others in a gap; none if it may not."""
    start = _fitting(item.need, gap.start, intervals)
    case = timedelta(seconds=item.need.case)
    if start + case > gap.end or not _all_held(lab, busy, start):
        return ()
    rows = _segments(item, start, total, intervals)
    ends_well_before = start + timedelta(seconds=item.need.p90 * BACKFILL_MARGIN) <= gap.end
    if len(rows) == 1 and rows[0].interval.end <= gap.end and ends_well_before:
        return rows
    booked = next((one for one in own if one.start <= start < one.end), None)
    if booked is None or start + case > booked.end:
        return ()
    closing = [Interval(min(booked.end, gap.end), free_at)]
    return _segments(item, start, total, [*intervals, *closing])


def _all_held(lab: _Lab, busy: Sequence[Segment], start: datetime) -> bool:
    """Return True if a closure holds every run that would be passed."""
    later = {one.run for one in busy if one.interval.start > start}
    firsts = (lab.first[run] for run in later)
    return all(one.is_held or one.interval.start <= start for one in firsts)


def _gaps(busy: Sequence[Segment], now: datetime) -> Iterator[Interval]:
    """Yield the free time before the last of the segments."""
    free_at = now
    for one in busy:
        if one.interval.start > free_at:
            yield Interval(free_at, one.interval.start)
        free_at = max(free_at, one.interval.end)


def _fitting(need: RunNeed, after: datetime, intervals: Sequence[Interval]) -> datetime:
    """Return the first time that fits the next block, or its cases if that is far off."""
    start = earliest_start(after, timedelta(seconds=need.block), intervals)
    if start - after > MAX_BLOCK_WAIT:
        return earliest_start(after, timedelta(seconds=need.case), intervals)
    return start


def _segments(
    item: QueueItem,
    start: datetime,
    total: timedelta,
    closed: Sequence[Interval],
    *,
    is_held: bool = False,
) -> tuple[Segment, ...]:
    """Return the segments of a run from its start: it pauses during the closed intervals."""
    rows = []
    at, left = start, total
    for one in sorted(closed):
        if one.end <= at:
            continue
        if at + left <= one.start:
            break
        if one.start > at:
            rows.append(Interval(at, one.start))
            left -= one.start - at
        at = one.end
    rows.append(Interval(at, at + left))
    return tuple(Segment(item.run, row, is_held, item.open_to) for row in rows)


def _ahead(items: Sequence[QueueItem]) -> Iterator[tuple[int, int]]:
    """Yield each queued run and the number of queued runs before it with a resource of its own."""
    users: dict[str, set[int]] = defaultdict(set)
    for item in items:
        if item.is_running:
            continue
        before = {run for name in item.resources for run in users[name]}
        yield item.run, len(before)
        for name in item.resources:
            users[name].add(item.run)
