"""What there is to do, as the database says."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from apps.inventory.selectors import hosts_reachable
from apps.runs.models import FINAL_ATTEMPT, Attempt, Claim, Run, RunState


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
    asked = hosts_reachable().filter(check_requested_at__isnull=False)
    held = Claim.objects.filter(released_at__isnull=True, resource__startswith="host:")
    busy = {int(name.removeprefix("host:")) for name in held.values_list("resource", flat=True)}
    wishes = asked.values_list("pk", "install_requested")
    return [pk for pk, install in wishes if not (install and pk in busy)]


def takes_part(host_id: int) -> Q:
    """Cases in which a host takes part, alone or with others."""
    return Q(host_id=host_id) | Q(hosts__contains=[host_id])


def attempts_on_hosts(run_id: int) -> list[tuple[str, int]]:
    """The jobs of the run's attempts that have not ended, each with its host's id."""
    rows = Attempt.objects.filter(case__run_id=run_id).exclude(state__in=FINAL_ATTEMPT)
    found: list[tuple[str, int]] = []
    for attempt in rows.select_related("case"):
        alone = [(str(attempt.pk), attempt.case.host_id)]
        found += [(job["job"], job["host"]) for job in attempt.jobs] or alone
    return found
