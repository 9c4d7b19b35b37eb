"""What there is to do, as the database says."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from apps.inventory.models import Host
from apps.runs.models import FINAL_ATTEMPT, Attempt, Case, Claim, Run, RunState


def runs_without_worker() -> list[int]:
    """Running runs whose worker is gone: its lease has lapsed or was given back."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=timezone.now())
    return list(Run.objects.filter(free, state=RunState.RUNNING).values_list("pk", flat=True))


def runs_to_start() -> list[int]:
    """Queued runs, oldest first."""
    queued = Run.objects.filter(state=RunState.QUEUED).order_by("pk")
    return list(queued.values_list("pk", flat=True))


def hosts_to_check() -> list[int]:
    """Hosts somebody asked to be checked. Nothing is installed on one while a run measures on
    it.
    """
    asked = Host.objects.filter(check_requested_at__isnull=False)
    held = Claim.objects.filter(released_at__isnull=True, resource__startswith="host:")
    busy = {int(name.removeprefix("host:")) for name in held.values_list("resource", flat=True)}
    wishes = asked.values_list("pk", "install_requested")
    return [pk for pk, install in wishes if not (install and pk in busy)]


def leftovers(run_id: int, host_id: int) -> tuple[list[str], list[str]]:
    """What a run has left on a host: attempts that ended but are not forgotten there, and the
    scratch directories its cases used.
    """
    ended = Attempt.objects.filter(
        case__host_id=host_id, state__in=FINAL_ATTEMPT, cleared_at__isnull=True
    ).exclude(contact_at__isnull=True)
    cases = Case.objects.filter(run_id=run_id, host_id=host_id, directory__isnull=False)
    paths = cases.values_list("directory__path", flat=True).distinct()
    return [str(pk) for pk in ended.values_list("pk", flat=True)[:200]], list(paths)


def attempts_on_hosts(run_id: int) -> list[tuple[str, int]]:
    """The run's attempts that have not ended, each with its host's id."""
    rows = Attempt.objects.filter(case__run_id=run_id).exclude(state__in=FINAL_ATTEMPT)
    return [(str(pk), host) for pk, host in rows.values_list("pk", "case__host_id")]
