"""Read the work of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from apps.inventory.selectors.inventory import hosts_reachable
from apps.runs.models import (
    FINAL_ATTEMPT,
    AbandonedAttempt,
    Attempt,
    AttemptJob,
    AttemptState,
    Claim,
    Run,
    RunState,
)
from apps.runs.selectors.queue import runs_queued

RETRY_DELAY = timedelta(minutes=5)


def runs_without_worker() -> list[int]:
    """Return running runs whose lease has expired or was released."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=timezone.now())
    return list(Run.objects.filter(free, state=RunState.RUNNING).values_list("pk", flat=True))


def runs_to_start() -> list[int]:
    """Return queued runs in the order of the queue."""
    return list(runs_queued(timezone.now()).values_list("pk", flat=True))


def hosts_to_check() -> list[int]:
    """Return hosts with a requested check, and every few minutes those that need cleanup.

    A host claimed by a run is left out if the check would install packages.
    """
    left = Q(enabled=True) & (
        ~Q(unrestored_settings__rows=[]) | Q(cleanup_pending_since__isnull=False)
    )
    late = Q(checked_at__lt=timezone.now() - RETRY_DELAY)
    wanted = hosts_reachable().filter(Q(check_requested_at__isnull=False) | (left & late))
    held = Claim.objects.filter(released_at__isnull=True, resource__startswith="host:")
    busy = {int(name.removeprefix("host:")) for name in held.values_list("resource", flat=True)}
    checks = wanted.values_list("pk", "install_requested")
    return [pk for pk, install in checks if not (install and pk in busy)]


def attempts_on_hosts(run_id: int) -> list[tuple[str, int]]:
    """Return the jobs of the run's open attempts, each with its host's id."""
    rows = AttemptJob.objects.filter(attempt__case__run_id=run_id)
    ending = rows.exclude(attempt__state__in=FINAL_ATTEMPT).values_list("pk", "host_id")
    return [(str(pk), host_id) for pk, host_id in ending]


def attempts_over(under_way: Sequence[UUID]) -> list[UUID]:
    """Return which of the attempts under way were abandoned."""
    if not under_way:
        return []
    over = Attempt.objects.filter(pk__in=under_way, state=AttemptState.UNCONFIRMED)
    return list(over.values_list("pk", flat=True))


def hosts_to_confirm() -> list[int]:
    """Return hosts on which abandoned attempts may still run."""
    rows = AbandonedAttempt.objects.filter(ended_at__isnull=True).order_by("host")
    return list(rows.values_list("host", flat=True).distinct())


def unconfirmed_on(host_id: int) -> list[AbandonedAttempt]:
    """Return unconfirmed abandoned attempts of a host."""
    rows = AbandonedAttempt.objects.filter(ended_at__isnull=True, host=host_id)
    return list(rows.prefetch_related("attempt__jobs"))
