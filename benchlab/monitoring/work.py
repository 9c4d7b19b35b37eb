"""Metrics of runs, cases, attempts, processes and notifications."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, Q, QuerySet

from apps.alerts.models import AlertNotification
from apps.common.models import Backup
from apps.lake.selectors.exports import newest_scheduled
from apps.runs.models import (
    FINAL_ATTEMPT,
    AbandonedAttempt,
    Attempt,
    Case,
    CaseState,
    Heartbeat,
    Run,
    RunApproval,
    RunState,
)
from apps.runs.selectors.heartbeats import TIMEOUT_SECONDS
from apps.runs.selectors.unresponsive_hosts import CONTACT_TIMEOUT, MAY_RUN
from benchlab.monitoring.families import Family, by_state, gauge, gauges, seconds_since


def work_families(now: datetime) -> Iterator[Family]:
    """Yield the metrics of the work. `now`: the database's time."""
    yield by_state("runs", "Runs by state, imports included.", RunState, counts(Run.objects.all()))
    yield by_state(
        "cases",
        "Cases by state. Succeeded cases are not counted.",
        [state for state in CaseState if state != CaseState.SUCCEEDED],
        # The condition of the index unusual_cases: the archive may have millions of cases.
        counts(Case.objects.exclude(state=CaseState.SUCCEEDED)),
    )
    queued = Run.objects.filter(state=RunState.QUEUED)
    waiting = queued.exclude(approvals__state=RunApproval.State.WAITING)
    oldest = waiting.aggregate(at=Min("waiting_since"))["at"]
    yield gauge(
        "oldest_queued_seconds",
        "Longest wait of a queued run, without those that wait for an approval; 0 without one.",
        seconds_since(oldest, now) or 0.0,
    )
    yield gauge(
        "unknown_attempts",
        "Running attempts whose hosts do not respond: their state is unknown.",
        unknown_attempts(now).count(),
    )
    yield gauge(
        "abandoned_attempts",
        "Abandoned attempts that may still run on a host.",
        AbandonedAttempt.objects.filter(ended_at__isnull=True).count(),
    )
    yield by_state(
        "notifications",
        "Notifications of alerts by state.",
        AlertNotification.State,
        counts(AlertNotification.objects.all()),
    )
    yield from process_families(now)
    newest = Backup.objects.order_by("-made_at").values_list("made_at", flat=True).first()
    yield gauge(
        "backup_age_seconds",
        "Age of the newest recorded backup, infinite without one.",
        seconds_since(newest, now),
    )
    if settings.LAKE:
        export = newest_scheduled()
        yield gauge(
            "lake_age_seconds",
            "Age of the newest export to BENCHLAB_LAKE, infinite without one.",
            seconds_since(export.ended_at if export else None, now),
        )


def counts(rows: QuerySet[Any]) -> dict[str, int]:
    """Return the number of rows in each state."""
    return dict(rows.order_by().values_list("state").annotate(Count("pk")))


def unknown_attempts(now: datetime) -> QuerySet[Attempt]:
    """Return attempts without contact to their hosts, as run pages show them."""
    # The condition of the index one_open_attempt_per_case.
    is_open = Attempt.objects.exclude(state__in=FINAL_ATTEMPT).filter(state__in=MAY_RUN)
    lost = Q(contact_lost_since__isnull=False) | Q(contact_at__lt=now - CONTACT_TIMEOUT)
    return is_open.filter(lost)


def process_families(now: datetime) -> Iterator[Family]:
    """Yield the heartbeats of engines, workers and beat."""
    rows = list(Heartbeat.objects.values_list("component", "process_name", "last_seen_at"))
    timeout = timedelta(seconds=TIMEOUT_SECONDS)
    alive = [component for component, _name, seen in rows if now - seen < timeout]
    yield gauges(
        "workers",
        f"Processes with a heartbeat in the last {TIMEOUT_SECONDS:.0f} s.",
        ("component",),
        [((str(part),), alive.count(part.value)) for part in Heartbeat.Component],
    )
    yield gauges(
        "worker_heartbeat_age_seconds",
        "Age of the last heartbeat of a process that did not shut down; after a day it is gone.",
        ("component", "process"),
        [
            ((component, name), seconds_since(seen, now) or 0.0)
            for component, name, seen in sorted(rows)
        ],
    )
