"""The worker that drives a run: leases with a fencing token, and the hold on hosts and disks.

A worker that stalled and was overtaken still believes it owns its run. Every write of a worker
therefore happens inside `fenced`, which locks the run's row and compares the token; the overtaken
one is refused, whatever it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.common.database.locks import advisory_lock
from apps.runs.domain.clusters import cluster_blocker
from apps.runs.models import AbandonedAttempt, Claim, Run, RunState
from apps.runs.selectors.resources import blocking_reason, ceph_clients, members_of, resources_of
from apps.runs.services.interference import interference_record
from apps.runs.services.transitions import run_transition


class LeaseLost(Exception):
    """Another worker took this run over; whatever this one was doing must stop without a further
    write.
    """


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
    """Extend the lease; returns whether somebody asked to cancel the run. Raises Overtaken."""
    updated = Run.objects.filter(pk=run_id, fence=fence, state=RunState.RUNNING).update(
        lease_until=timezone.now() + _lease()
    )
    if not updated:
        raise LeaseLost(run_id)
    return Run.objects.filter(pk=run_id, cancel_requested_at__isnull=False).exists()


def run_release(*, run_id: int, fence: int) -> None:
    """Give the lease back at once, so that another worker need not wait for it to lapse (orderly
    shutdown).
    """
    Run.objects.filter(pk=run_id, fence=fence).update(lease_until=None)


@contextmanager
def fenced(run_id: int, fence: int) -> Iterator[Run]:
    """One transaction holding the run's row, entered only by the worker whose fence is the current
    one.
    """
    with transaction.atomic():
        run = Run.objects.select_for_update().filter(pk=run_id).first()
        if run is None or run.fence != fence:  # none: the database was restored to before it
            raise LeaseLost(run_id)
        yield run


def run_try_start(*, run_id: int, worker: str) -> int | None:
    """Give a queued run all its hosts and disks at once, or nothing; returns the fencing token when
    it started.

    A run never overtakes an older one that waits for the same resource, so nobody starves.
    """
    with transaction.atomic():
        advisory_lock("hand out hosts and disks")
        run = Run.objects.select_for_update().get(pk=run_id)
        if run.state != RunState.QUEUED:
            return None
        members = members_of(run)
        wanted = resources_of(run, members)
        blocker = cluster_blocker(ceph_clients(run, members)) or blocking_reason(run, wanted)
        if blocker:
            Run.objects.filter(pk=run_id).exclude(reason=blocker).update(reason=blocker)
            return None
        Claim.objects.bulk_create([Claim(resource=name, run=run) for name in wanted])
        interference_record(run, wanted)
        now = timezone.now()
        run_transition(
            run,
            RunState.RUNNING,
            reason="",
            worker=worker,
            fence=run.fence + 1,
            lease_until=now + _lease(),
            started_at=run.started_at or now,
        )
        return run.fence


def claims_release(run: Run) -> None:
    """Let go of everything an ended run holds, but for what a test that was given up may still
    use.
    """
    open_ = AbandonedAttempt.objects.filter(attempt__case__run=run, ended_at__isnull=True)
    kept = {name for names in open_.values_list("resources", flat=True) for name in names}
    rest = run.claims.filter(released_at__isnull=True).exclude(resource__in=kept)
    rest.update(released_at=timezone.now())


def _lease() -> timedelta:
    return timedelta(seconds=settings.BENCHLAB_LEASE_SECONDS)
