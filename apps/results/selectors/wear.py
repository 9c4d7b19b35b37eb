"""Wear of the fleet: disks nearest their rating, and what plans wrote in the last days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from apps.inventory.models import CatalogueEntry, Disk
from apps.inventory.schemas.host_facts import Smart
from apps.inventory.selectors.catalogue import catalogue_entries, entry_of
from apps.results.models import DiskWear

DAYS = 90
MAX_DISKS = 500
MAX_PLANS = 200


@dataclass(frozen=True)
class DiskLife:
    """A disk and its rating. `rated_percent`: bytes of its life / rated bytes.

    `recent_bytes`: hosts wrote in attempts of the last days. None: unknown.
    """

    disk: Disk
    smart: Smart
    rated_terabytes_written: float | None
    rated_percent: float | None
    recent_bytes: int | None

    @property
    def used_percent(self) -> float:
        """Return the larger of what the disk states and what the rating gives; -1: neither."""
        known = [one for one in (self.smart.used, self.rated_percent) if one is not None]
        return max(known, default=-1.0)


@dataclass(frozen=True)
class PlanCost:
    """What the runs of a plan cost their disks. `plan`: None for runs without one.

    `unknown`: attempts with a disk that reports no bytes.
    """

    plan: int | None
    name: str
    runs: int
    attempts: int
    host_bytes: int | None
    nand_bytes: int | None
    unknown: int


def fleet_lives(disks: QuerySet[Disk], *, now: datetime | None = None) -> list[DiskLife]:
    """Return the disks that report wear, nearest to their rating first."""
    since = (now or timezone.now()) - timedelta(days=DAYS)
    entries = catalogue_entries()
    rows = list(disks.filter(facts__smart__isnull=False).select_related("model", "host"))
    recent = dict(
        DiskWear.objects.filter(disk__in=rows, attempt__started_at__gte=since)
        .order_by()
        .values_list("disk")
        .annotate(total=Sum("host_bytes"))
    )
    lives = [_life(row, entries, recent.get(row.pk)) for row in rows]
    known = [life for life in lives if life.smart != Smart()]
    known.sort(key=lambda life: (-life.used_percent, life.disk.host.name, life.disk.device_path))
    return known[:MAX_DISKS]


def _life(disk: Disk, entries: list[CatalogueEntry], recent: int | None) -> DiskLife:
    smart = disk.known.smart
    entry = entry_of(disk, entries)
    rated = entry.rated_bytes if entry else None
    percent = 100 * smart.written / rated if rated and smart.written is not None else None
    terabytes = entry.rated_terabytes_written if entry else None
    return DiskLife(disk, smart, terabytes, percent, recent)


def plan_costs(*, now: datetime | None = None) -> list[PlanCost]:
    """Return what plans wrote in the last days, the largest first."""
    since = (now or timezone.now()) - timedelta(days=DAYS)
    plan = "attempt__case__run__plan"
    rows = (
        DiskWear.objects.filter(attempt__started_at__gte=since)
        .order_by()
        .values(plan, f"{plan}__name")
        .annotate(
            runs=Count("attempt__case__run", distinct=True),
            attempts=Count("attempt", distinct=True),
            hosts=Sum("host_bytes"),
            nand=Sum("nand_bytes"),
            unknown=Count("attempt", distinct=True, filter=Q(host_bytes__isnull=True)),
        )
    )
    costs = [
        PlanCost(
            row[plan],
            row[f"{plan}__name"] or "",
            row["runs"],
            row["attempts"],
            row["hosts"],
            row["nand"],
            row["unknown"],
        )
        for row in rows
    ]
    return sorted(costs, key=lambda cost: (-(cost.host_bytes or 0), cost.name))[:MAX_PLANS]
