"""Decide whether a queued run may start, and whether a running one may go on.

A run never starts into a booking of others or a maintenance window, and starts no case that would
reach into one. A running case is not ended by either.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from apps.bookings.schemas import Closure
from apps.bookings.selectors.bookings import closures_between
from apps.inventory.models import Host
from apps.runs.domain.closures import (
    Hold,
    RunNeed,
    closed_to,
    hold_of,
    may_backfill,
    may_use_own_booking,
)
from apps.runs.models import FINAL_CASE, Case, Run, RunTargetMember
from apps.runs.selectors.needs import run_needs, starting_need
from apps.runs.selectors.queue import runs_ahead
from apps.runs.selectors.resources import held_reason, needs_one_of, resources_of
from apps.tools.messages import TranslatableMessage, message

# How far ahead closures are read.
HORIZON = timedelta(days=28)
# Older runs that a run may pass in one try.
MAX_PASSED = 50


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
    hold = _hold(run, wanted, closures, now)
    if hold is not None:
        return Admission(_paused(run, hold_reason(hold, wanted, now)))
    if reason := held_reason(wanted):
        return Admission(_paused(run, reason))
    return _turn(run, wanted, closures, now)


def _turn(run: Run, wanted: Sequence[str], closures: Sequence[Closure], now: datetime) -> Admission:
    """Return whether it is the run's turn, among those that need one of its resources."""
    yields_at: datetime | None = None
    ahead = conflicting(runs_ahead(run, now), wanted)[: MAX_PASSED + 1]
    need = run_needs([run.pk])[run.pk] if closures and ahead else RunNeed()
    for number, other in enumerate(ahead):
        tried = bool(closures) and number < MAX_PASSED
        hold = _hold(other, resources_of(other), closures, now) if tried else None
        if hold is not None and may_use_own_booking(need, hold, run.owner_id, now):
            end = hold.closure.interval.end
            yields_at = min(yields_at or end, end)
        elif hold is None or not may_backfill(need, hold, now):
            return Admission(
                _paused(run, message("waits its turn behind run %(run)d", run=other.pk))
            )
    return Admission(yields_at=yields_at)


def _hold(
    run: Run, resources: Sequence[str], closures: Sequence[Closure], now: datetime
) -> Hold | None:
    """Return what a queued run waits for, or None if its next block fits now."""
    closed = closed_to(run.owner_id, resources, closures)
    return hold_of(run_needs([run.pk])[run.pk], closed, now) if closed else None


def conflicting(runs: QuerySet[Run], wanted: Sequence[str]) -> QuerySet[Run]:
    """Return those of the runs that need one of the resources."""
    members = RunTargetMember.objects.filter(needs_one_of(wanted), run_target__run=OuterRef("pk"))
    return runs.filter(Exists(members))


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
    first = conflicting(runs_ahead(run, now), held).first()
    if first is None:
        return ""
    return message(
        "lets in run %(run)d at the end of the booking, %(end)s",
        run=first.pk,
        end=_utc(run.yields_at),
    )


def hold_reason(hold: Hold, resources: Collection[str], now: datetime) -> TranslatableMessage:
    """Return the reason of a run that waits for a booking or maintenance window."""
    closure = hold.closure
    values = {
        "until": _utc(hold.until),
        "start": _utc(closure.interval.start),
        "what": _name_of(closure.resources & frozenset(resources)),
        "who": closure.holder,
        "reason": closure.reason,
    }
    has_begun = closure.interval.start <= now
    if closure.is_maintenance and has_begun:
        return message("waits until %(until)s: maintenance of %(what)s (%(reason)s)", **values)
    if closure.is_maintenance:
        return message(
            "waits until %(until)s: its next block would reach into the maintenance of %(what)s "
            "from %(start)s (%(reason)s)",
            **values,
        )
    if has_begun:
        return message("waits until %(until)s: %(who)s has booked %(what)s (%(reason)s)", **values)
    return message(
        "waits until %(until)s: its next block would reach into the booking of %(what)s by %(who)s "
        "from %(start)s (%(reason)s)",
        **values,
    )


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


def _name_of(names: Collection[str]) -> str:
    """Return the name of one of the resources: a host if there is one."""
    hosts = sorted(int(name.removeprefix("host:")) for name in names if name.startswith("host:"))
    if hosts and (host := Host.objects.filter(pk=hosts[0]).first()):
        return host.name
    kinds = {name.partition(":")[0]: name for name in sorted(names)}
    if "pool" in kinds:
        return message("pool %(name)s", name=kinds["pool"].removeprefix("pool:").rpartition("@")[0])
    if "ceph" in kinds:
        return message("its Ceph cluster")
    return message("a disk that it uses") if "disk" in kinds else message("its machine")


def _utc(timestamp: datetime) -> str:
    return f"{timestamp.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
