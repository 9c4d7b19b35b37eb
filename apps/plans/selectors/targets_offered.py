"""Targets that a plan may use."""

from __future__ import annotations

from django.db.models import F, QuerySet

from apps.inventory.models import Directory, Disk, Host, Pool, TargetGroup
from apps.inventory.selectors.inventory import disks_gone_unused


def hosts_offered() -> QuerySet[Host]:
    """Return hosts that tests can run on, by name; none of the archive."""
    return Host.objects.exclude(kind=Host.Kind.IMPORTED_ONLY).order_by("name")


def disks_offered() -> QuerySet[Disk]:
    """Return every disk that a plan may use, host by host, enrolled ones first.

    A removed disk is offered if it is enrolled or used by a plan or result.
    """
    rows = Disk.objects.exclude(host__kind=Host.Kind.IMPORTED_ONLY)
    rows = rows.select_related("host", "model")
    rows = rows.exclude(pk__in=disks_gone_unused())
    return rows.order_by("host__name", F("enrolled_at").asc(nulls_last=True), "device_path")


def directories_offered() -> QuerySet[Directory]:
    rows = Directory.objects.exclude(host__kind=Host.Kind.IMPORTED_ONLY).select_related("host")
    return rows.order_by("host__name", "path")


def pools_offered() -> QuerySet[Pool]:
    rows = Pool.objects.exclude(host__kind=Host.Kind.IMPORTED_ONLY)
    rows = rows.select_related("host__cluster")
    return rows.prefetch_related("clients").order_by("host__name", "name")


def groups_offered() -> QuerySet[TargetGroup]:
    return TargetGroup.objects.prefetch_related("disks__host", "directories__host").order_by("name")
