"""Leases of runs with fencing tokens, and claims on hosts and disks.

A stalled worker may still believe that it owns its run. Each write of a worker therefore runs in
`fenced`, which locks the run and rejects stale tokens.

Source: Kleppmann, "How to do distributed locking".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.bookings.services.bookings import HAND_OUT
from apps.common.database.locks import advisory_lock
from apps.runs.domain.clusters import cluster_blocker
from apps.runs.models import AbandonedAttempt, Claim, Run, RunState
from apps.runs.selectors.admission import admission_of
from apps.runs.selectors.host_holds import hold_blocker
from apps.runs.selectors.resources import ceph_clients, members_of, resources_of
from apps.runs.services.approval_requests import approval_blocker, approval_request
from apps.runs.services.interference import interference_record
from apps.runs.services.transitions import run_transition


class LeaseLost(Exception):
    """Another worker took over the run; stop without further writes."""


def run_lease(*, run_id: int, worker: str) -> int | None:
    """Take the lapsed lease of a running run. Return the new fencing token, None if not free."""
    now = timezone.now()
    taken = (
        Run.objects.filter(pk=run_id, state=RunState.RUNNING)
        .filter(Q(lease_until__isnull=True) | Q(lease_until__lt=now))
        .update(worker=worker, fence=F("fence") + 1, lease_until=now + _lease())
    )
    if not taken:
        return None
    return Run.objects.values_list("fence", flat=True).get(pk=run_id)


def run_renew(*, run_id: int, fence: int) -> bool:
    """Extend the lease. Return True if the run is being cancelled.

    Raises:
        LeaseLost: the fencing token is stale.
    """
    updated = Run.objects.filter(pk=run_id, fence=fence, state=RunState.RUNNING).update(
        lease_until=timezone.now() + _lease()
    )
    if not updated:
        raise LeaseLost(run_id)
    return Run.objects.filter(pk=run_id, cancel_requested_at__isnull=False).exists()


def run_release(*, run_id: int, fence: int) -> None:
    """End the lease at shutdown, so that another worker takes over at once."""
    Run.objects.filter(pk=run_id, fence=fence).update(lease_until=None)


@contextmanager
def fenced(run_id: int, fence: int) -> Iterator[Run]:
    """Open a transaction with the run locked.

    Raises:
        LeaseLost: the fencing token is stale, or the run does not exist after a restore.
    """
    with transaction.atomic():
        run = Run.objects.select_for_update().filter(pk=run_id).first()
        if run is None or run.fence != fence:  # none: the database was restored to before it
            raise LeaseLost(run_id)
        yield run


def run_try_start(*, run_id: int, worker: str) -> int | None:
    """Claim all resources of a queued run and start it. Return its fencing token, else None.

    A run never starts into a booking of others or a maintenance window. It passes a run before it
    in the queue that waits for the same resource only while that one waits for such a closure.
    """
    with transaction.atomic():
        advisory_lock(HAND_OUT)
        run = Run.objects.select_for_update().get(pk=run_id)
        if run.state != RunState.QUEUED:
            return None
        members = members_of(run)
        wanted = resources_of(run, members)
        now = timezone.now()
        admission = admission_of(run, wanted, now)
        blocker = (
            approval_request(run)
            or hold_blocker({member.host_id for member in members})
            or cluster_blocker(ceph_clients(run, members))
            or admission.blocker
            or approval_blocker(run)
        )
        if blocker:
            Run.objects.filter(pk=run_id).exclude(reason=blocker).update(reason=blocker)
            return None
        Claim.objects.bulk_create([Claim(resource=name, run=run) for name in wanted])
        interference_record(run, wanted)
        run_transition(
            run,
            RunState.RUNNING,
            reason="",
            worker=worker,
            fence=run.fence + 1,
            lease_until=now + _lease(),
            started_at=run.started_at or now,
            paused_at=None,
            yields_at=admission.yields_at,
        )
        return run.fence


def claims_release(run: Run) -> None:
    """Release the claims of an ended run, except those of abandoned attempts."""
    open_ = AbandonedAttempt.objects.filter(attempt__case__run=run, ended_at__isnull=True)
    retained = {name for names in open_.values_list("resources", flat=True) for name in names}
    rest = run.claims.filter(released_at__isnull=True).exclude(resource__in=retained)
    rest.update(released_at=timezone.now())


def _lease() -> timedelta:
    return timedelta(seconds=settings.BENCHLAB_LEASE_SECONDS)
