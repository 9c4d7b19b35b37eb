"""Decide whether a queued run may start, and whether a running one may go on.

A run never starts into a booking of others or a maintenance window, and starts no case that would
reach into one. A running case is not ended by either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.bookings.schemas import Closure
from apps.bookings.selectors.bookings import closures_between
from apps.runs.domain.closures import (
    Hold,
    RunNeed,
    closed_to,
    hold_of,
    may_backfill,
    may_use_own_booking,
)
from apps.runs.models import FINAL_CASE, Case, Run
from apps.runs.selectors.closure_reasons import (
    HORIZON,
    MAX_PASSED,
    conflicting,
    hold_reason,
    run_hold,
    utc_text,
)
from apps.runs.selectors.needs import run_needs, starting_need
from apps.runs.selectors.queue import runs_ahead
from apps.runs.selectors.queue_requests import requests_before, turn_reason
from apps.runs.selectors.resources import held_reason, resources_of
from apps.tools.messages import message


@dataclass(frozen=True)
class Admission:
    """Why a run may not start now, "" if it may.

    `yields_at`: end of the own booking thanks to which it passes older runs.
    """

    blocker: str = ""
    yields_at: datetime | None = None


def admission_of(run: Run, wanted: Sequence[str], now: datetime) -> Admission:
    """Return whether a queued run may claim these resources and start its next block now."""
    closures = closures_between(now, now + HORIZON)
    hold = run_hold(run, wanted, closures, now)
    if hold is not None:
        return Admission(_paused(run, hold_reason(hold, wanted, now)))
    if reason := held_reason(wanted):
        return Admission(_paused(run, reason))
    return _turn(run, wanted, closures, now)


def _turn(run: Run, wanted: Sequence[str], closures: Sequence[Closure], now: datetime) -> Admission:
    """Return whether it is the turn of the run, among all that need one of its resources."""
    yields_at: datetime | None = None
    need: RunNeed | None = None
    for hold, reason in _ahead(run, wanted, closures, now):
        if hold is None:
            return Admission(_paused(run, reason))
        need = need or run_needs([run.pk])[run.pk]
        if may_use_own_booking(need, hold, run.owner_id, now):
            end = hold.closure.interval.end
            yields_at = min(yields_at or end, end)
        elif not may_backfill(need, hold, now):
            return Admission(_paused(run, reason))
    return Admission(yields_at=yields_at)


def _ahead(
    run: Run, wanted: Sequence[str], closures: Sequence[Closure], now: datetime
) -> Iterator[tuple[Hold | None, str]]:
    """Yield the closure that holds each run and request before this run, and whose turn it is."""
    for number, other in enumerate(conflicting(runs_ahead(run, now), wanted)[: MAX_PASSED + 1]):
        tried = bool(closures) and number < MAX_PASSED
        hold = run_hold(other, resources_of(other), closures, now) if tried else None
        yield hold, message("waits its turn behind run %(run)d", run=other.pk)
    for request in requests_before(run, wanted, closures, now):
        yield request.hold, turn_reason(request)


def pause_reason(run: Run, cases: Collection[Case], now: datetime) -> str:
    """Return why a running run may not start these cases now; "" if it may.

    All claims of the run count: it holds them until it pauses, also while a case uses only some.
    """
    if not cases:
        return ""
    claims = run.claims.filter(released_at__isnull=True)
    held = list(claims.values_list("resource", flat=True))
    closed = closed_to(run.owner_id, held, closures_between(now, now + HORIZON))
    if not closed and run.yields_at is None:
        return ""
    need = starting_need(run.pk, cases)
    hold = hold_of(need, closed, now)
    if hold is not None:
        return hold_reason(hold, held, now)
    return _yield_reason(run, held, need, now)


def _yield_reason(run: Run, held: Sequence[str], need: RunNeed, now: datetime) -> str:
    """Return the run that is let in at the end of the booking thanks to which this one started."""
    if run.yields_at is None or now + timedelta(seconds=need.case) <= run.yields_at:
        return ""
    end = utc_text(run.yields_at)
    first = conflicting(runs_ahead(run, now), held).first()
    if first is not None:
        return message(
            "lets in run %(run)d at the end of the booking, %(end)s", run=first.pk, end=end
        )
    closures = closures_between(now, now + HORIZON)
    for request in requests_before(run, held, closures, now):
        return message(
            "lets in the requested booking of %(who)s at the end of the booking, %(end)s",
            who=request.holder,
            end=end,
        )
    return ""


def _paused(run: Run, reason: str) -> str:
    """Return the reason, after the progress of a paused run."""
    if run.paused_at is None:
        return reason
    done = run.cases.filter(state__in=FINAL_CASE).count()
    return message(
        "is paused after %(done)d of %(total)d cases: %(why)s",
        done=done,
        total=run.case_count,
        why=reason,
    )
