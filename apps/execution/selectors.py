"""What there is to do, as the database says."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from apps.inventory.models import Host
from apps.runs.models import Run, RunState


def runs_without_worker() -> list[int]:
    """Running runs whose worker is gone: its lease has lapsed or was given back."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=timezone.now())
    return list(Run.objects.filter(free, state=RunState.RUNNING).values_list("pk", flat=True))


def runs_to_start() -> list[int]:
    """Queued runs, oldest first."""
    queued = Run.objects.filter(state=RunState.QUEUED).order_by("pk")
    return list(queued.values_list("pk", flat=True))


def hosts_to_check() -> list[int]:
    """Hosts somebody asked to be checked."""
    asked = Host.objects.filter(check_requested_at__isnull=False)
    return list(asked.values_list("pk", flat=True))
