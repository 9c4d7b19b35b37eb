"""Requested bookings in the queue: their place among the runs, and why they wait."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.bookings.schemas import Closure
from apps.bookings.selectors.requests import WaitingRequest, requests_waiting
from apps.runs.domain.closures import Hold, RunNeed, hold_of, may_backfill
from apps.runs.models import Priority, Run
from apps.runs.selectors.closure_reasons import (
    MAX_PASSED,
    conflicting,
    hold_reason,
    name_of,
    run_hold,
    utc_text,
)
from apps.runs.selectors.fair_share import recent_hours, share_key
from apps.runs.selectors.queue import place_of, runs_before
from apps.runs.selectors.resources import held_reason, resources_of
from apps.tools.messages import TranslatableMessage, message


@dataclass(frozen=True)
class QueuedRequest:
    """A request at its place: a lower `rank` is earlier. `hold`: the closure it waits for."""

    waiting: WaitingRequest
    level: int
    share: float
    hold: Hold | None

    @property
    def pk(self) -> int:
        return self.waiting.request.pk

    @property
    def since(self) -> datetime:
        return self.waiting.request.waiting_since

    @property
    def rank(self) -> tuple[int, float, datetime]:
        return (-self.level, self.share, self.since)

    @property
    def holder(self) -> str:
        """Return for whom it is."""
        request = self.waiting.request
        return request.team.name if request.team else request.owner.username


def request_need(waiting: WaitingRequest) -> RunNeed:
    """Return the need of a request: one block that takes its whole time."""
    seconds = waiting.request.length.total_seconds()
    return RunNeed(seconds, seconds, seconds, seconds)


def requests_queued(now: datetime, closures: Sequence[Closure]) -> list[QueuedRequest]:
    """Return the requests that may begin, the next one first."""
    rows = requests_waiting(now)
    shares = recent_hours(now) if rows else {}
    return sorted(
        (
            QueuedRequest(
                row,
                Priority.NORMAL + row.steps,
                shares.get(share_key(row.request.team_id, row.request.owner_id), 0.0),
                hold_of(request_need(row), touching(row.resources, closures), now),
            )
            for row in rows
        ),
        key=lambda one: one.rank,
    )


def touching(resources: Collection[str], closures: Iterable[Closure]) -> list[Closure]:
    """Return the closures of these resources, by begin; also those of the same user."""
    names = frozenset(resources)
    rows = (one for one in closures if one.resources & names)
    return sorted(rows, key=lambda one: (one.interval, one.booking_id))


def requests_before(
    run: Run, wanted: Collection[str], closures: Sequence[Closure], now: datetime
) -> list[QueuedRequest]:
    """Return the requests before a run that need one of these resources, the first one first."""
    rows = [
        one for one in requests_queued(now, closures) if one.waiting.resources & frozenset(wanted)
    ]
    if not rows:
        return []
    level, share = place_of(run, now)
    return [one for one in rows if one.rank < (-level, share, run.queued_at)]


def request_blocker(
    request: QueuedRequest,
    others: Iterable[QueuedRequest],
    closures: Sequence[Closure],
    now: datetime,
) -> str:
    """Return why a request may not begin now; "" if its turn has come and all of it is free.

    It passes an older run or request only as a run does: that one waits for a closure which ends
    long after it.
    """
    resources = sorted(request.waiting.resources)
    if request.hold is not None:
        return _hold_reason(request.hold, resources, now)
    if reason := held_reason(resources):
        return reason
    need = request_need(request.waiting)
    for hold, reason in _ahead(request, others, closures, now):
        if hold is None or not may_backfill(need, hold, now):
            return reason
    return ""


def _ahead(
    request: QueuedRequest,
    others: Iterable[QueuedRequest],
    closures: Sequence[Closure],
    now: datetime,
) -> Iterator[tuple[Hold | None, str]]:
    """Yield the closure that holds each request and run before this one, and whose turn it is."""
    resources = request.waiting.resources
    for other in others:
        if other.rank < request.rank and other.waiting.resources & resources:
            yield other.hold, turn_reason(other)
    ahead = runs_before(request.level, request.share, request.since, now)
    for number, run in enumerate(conflicting(ahead, sorted(resources))[: MAX_PASSED + 1]):
        tried = bool(closures) and number < MAX_PASSED
        hold = run_hold(run, resources_of(run), closures, now) if tried else None
        yield hold, message("waits its turn behind run %(run)d", run=run.pk)


def turn_reason(request: QueuedRequest) -> TranslatableMessage:
    """Return the reason of a run or request that is behind this one."""
    return message(
        "waits its turn behind the requested booking of %(who)s (%(reason)s)",
        who=request.holder,
        reason=request.waiting.request.reason,
    )


def _hold_reason(hold: Hold, resources: Collection[str], now: datetime) -> TranslatableMessage:
    closure = hold.closure
    if closure.interval.start <= now:
        return hold_reason(hold, resources, now)
    values = {
        "until": utc_text(hold.until),
        "start": utc_text(closure.interval.start),
        "what": name_of(closure.resources & frozenset(resources)),
        "who": closure.holder,
        "reason": closure.reason,
    }
    if closure.is_maintenance:
        return message(
            "waits until %(until)s: it would reach into the maintenance of %(what)s from %(start)s "
            "(%(reason)s)",
            **values,
        )
    return message(
        "waits until %(until)s: it would reach into the booking of %(what)s by %(who)s from "
        "%(start)s (%(reason)s)",
        **values,
    )
