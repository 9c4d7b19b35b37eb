"""Work that is to be done, as the database says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from apps.inventory.selectors.inventory import hosts_reachable
from apps.runs.models import (
    FINAL_ATTEMPT,
    Attempt,
    AttemptJob,
    AttemptState,
    Claim,
    GivenUp,
    Run,
    RunState,
)

TRY_AGAIN = timedelta(minutes=5)


def runs_without_worker() -> list[int]:
    """Running runs whose lease has lapsed or was given back."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=timezone.now())
    return list(Run.objects.filter(free, state=RunState.RUNNING).values_list("pk", flat=True))


def runs_to_start() -> list[int]:
    """Queued runs, oldest first."""
    queued = Run.objects.filter(state=RunState.QUEUED).order_by("pk")
    return list(queued.values_list("pk", flat=True))


def hosts_to_check() -> list[int]:
    """Hosts somebody asked to be checked, and every few minutes those on which something is left
    behind. Nothing is installed on one while a run measures on it.
    """
    left = Q(enabled=True) & (
        ~Q(unrestored_settings__rows=[]) | Q(cleanup_pending_since__isnull=False)
    )
    late = Q(checked_at__lt=timezone.now() - TRY_AGAIN)
    asked = hosts_reachable().filter(Q(check_requested_at__isnull=False) | (left & late))
    held = Claim.objects.filter(released_at__isnull=True, resource__startswith="host:")
    busy = {int(name.removeprefix("host:")) for name in held.values_list("resource", flat=True)}
    wishes = asked.values_list("pk", "install_requested")
    return [pk for pk, install in wishes if not (install and pk in busy)]


def attempts_on_hosts(run_id: int) -> list[tuple[str, int]]:
    """The jobs of the run's attempts that have not ended, each with its host's id."""
    rows = AttemptJob.objects.filter(attempt__case__run_id=run_id)
    ending = rows.exclude(attempt__state__in=FINAL_ATTEMPT).values_list("pk", "host_id")
    return [(str(pk), host_id) for pk, host_id in ending]


def attempts_over(under_way: Sequence[UUID]) -> list[UUID]:
    """Those of the attempts under way that somebody has ended."""
    if not under_way:
        return []
    over = Attempt.objects.filter(pk__in=under_way, state=AttemptState.UNPROVEN)
    return list(over.values_list("pk", flat=True))


def hosts_to_confirm() -> list[int]:
    """Hosts on which tests that were given up may still run."""
    rows = GivenUp.objects.filter(ended_at__isnull=True).order_by("host")
    return list(rows.values_list("host", flat=True).distinct())


def unconfirmed_on(host_id: int) -> list[GivenUp]:
    """Attempts that were given up on a host and are not proven to have ended."""
    rows = GivenUp.objects.filter(ended_at__isnull=True, host=host_id)
    return list(rows.prefetch_related("attempt__jobs"))
