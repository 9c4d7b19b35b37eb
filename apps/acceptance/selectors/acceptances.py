"""Read acceptances, their disks, and what an acceptance would cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Count, Prefetch, Q, QuerySet

from apps.acceptance.domain.cost import Cost, CostedDisk, cost_of
from apps.acceptance.domain.waves import DiskPosition
from apps.acceptance.models import Acceptance, AcceptedDisk
from apps.acceptance.schemas import AcceptanceProfile
from apps.inventory.models import Disk
from apps.inventory.selectors.catalogue import catalogue_entries, entry_of

OPEN = Q(state__in=[Acceptance.State.FILLING, Acceptance.State.MEASURING])
_Verdict = AcceptedDisk.Verdict


def acceptances_visible() -> QuerySet[Acceptance]:
    """Return every acceptance with the counts of its disks; all users may see all."""
    rows = Acceptance.objects.select_related("owner", "team", "fill_run", "measure_run")
    return rows.annotate(
        disk_count=Count("disks"),
        accepted_count=Count("disks", filter=Q(disks__verdict=_Verdict.ACCEPTED)),
        rejected_count=Count("disks", filter=Q(disks__verdict=_Verdict.REJECTED)),
    ).order_by("-pk")


def acceptances_with_disks() -> QuerySet[Acceptance]:
    """Return every acceptance with its disks, for pages and the API."""
    rows = AcceptedDisk.objects.select_related("disk__host", "disk__model").order_by("pk")
    return acceptances_visible().prefetch_related(Prefetch("disks", rows))


def acceptances_open() -> QuerySet[Acceptance]:
    return Acceptance.objects.filter(OPEN).order_by("pk")


def accepted_disks(acceptance: Acceptance) -> list[AcceptedDisk]:
    """Return the disks of an acceptance with host and model."""
    rows = acceptance.disks.select_related("disk__host", "disk__model", "acceptance")
    return list(rows.order_by("disk__host__name", "pk"))


def disks_offered() -> QuerySet[Disk]:
    """Return the disks that can be accepted: enrolled and present."""
    rows = Disk.objects.filter(enrolled_at__isnull=False).exclude(device_path="")
    return rows.select_related("host", "model").order_by("host__name", "device_path")


def in_open_acceptance(disks: Iterable[Disk]) -> list[AcceptedDisk]:
    """Return the rows of these disks in acceptances that have not ended."""
    rows = AcceptedDisk.objects.filter(
        disk__in=list(disks), acceptance__in=Acceptance.objects.filter(OPEN)
    )
    return list(rows.select_related("disk__host", "acceptance"))


def position_of(disk: Disk) -> DiskPosition:
    """Return where a disk is, by the last check of its host."""
    seen = disk.known
    return DiskPosition(disk.pk, disk.host_id, seen.bus, seen.bay or disk.device_path)


def acceptance_cost(disks: Sequence[Disk], profile: AcceptanceProfile) -> Cost:
    """Return hours and drive writes, with the rates of the catalogue. `disks` with their models."""
    entries = catalogue_entries()
    rows = []
    for disk in disks:
        entry = entry_of(disk, entries)
        rows.append(
            CostedDisk(
                position_of(disk),
                disk.size,
                "hdd" if disk.rotational else disk.device_type,
                entry.sequential_write_rate if entry else None,
                entry.rated_bytes if entry else None,
            )
        )
    return cost_of(rows, profile)
