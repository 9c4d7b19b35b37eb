"""The closures that runs wait for, as reasons, and the runs that need the same resources."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from apps.bookings.schemas import Closure
from apps.inventory.models import Host
from apps.runs.domain.closures import Hold, closed_to, hold_of
from apps.runs.models import Run, RunTargetMember
from apps.runs.selectors.needs import run_needs
from apps.runs.selectors.resources import needs_one_of
from apps.tools.messages import TranslatableMessage, message

# How far ahead closures are read.
HORIZON = timedelta(days=28)
# Older runs that a run or a requested booking may pass in one try.
MAX_PASSED = 50


def run_hold(
    run: Run, resources: Sequence[str], closures: Sequence[Closure], now: datetime
) -> Hold | None:
    """Return what a queued run waits for, or None if its next block fits now."""
    closed = closed_to(run.owner_id, resources, closures)
    return hold_of(run_needs([run.pk])[run.pk], closed, now) if closed else None


def conflicting(runs: QuerySet[Run], wanted: Sequence[str]) -> QuerySet[Run]:
    """Return those of the runs that need one of the resources."""
    members = RunTargetMember.objects.filter(needs_one_of(wanted), run_target__run=OuterRef("pk"))
    return runs.filter(Exists(members))


def hold_reason(hold: Hold, resources: Collection[str], now: datetime) -> TranslatableMessage:
    """Return the reason of a run that waits for a booking or maintenance window."""
    closure = hold.closure
    values = {
        "until": utc_text(hold.until),
        "start": utc_text(closure.interval.start),
        "what": name_of(closure.resources & frozenset(resources)),
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


def name_of(names: Collection[str]) -> str:
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


def utc_text(timestamp: datetime) -> str:
    return f"{timestamp.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
