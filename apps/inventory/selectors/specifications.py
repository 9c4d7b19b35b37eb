"""Queries for disk models and specified figures."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Count, QuerySet

from apps.inventory.models import Disk, DiskModel
from apps.inventory.schemas.specifications import FIGURES, Specification


def disk_models_for_list() -> QuerySet[DiskModel]:
    """Return every disk model with the number of its disks (`disk_count`)."""
    return DiskModel.objects.annotate(disk_count=Count("disks"))


def specification_of(disk: Disk) -> Specification | None:
    """Return the figures of a disk: its own, else those of its model. None: no figure."""
    own = disk.specification.figures if hasattr(disk, "specification") else Specification()
    model = disk.model.figures if disk.model else Specification()
    result = {name: _first(getattr(own, name), getattr(model, name)) for name in FIGURES}
    return Specification(**result) if any(result.values()) else None


def specifications_of(disks: Collection[int] | QuerySet[Any, Any]) -> dict[int, Specification]:
    """Return the figures of these disks (keys or a query) by key, without disks that have none."""
    rows = Disk.objects.filter(pk__in=disks).select_related("model", "specification")
    result = {disk.pk: specification_of(disk) for disk in rows}
    return {pk: figures for pk, figures in result.items() if figures is not None}


def _first(own: float | None, model: float | None) -> float | None:
    return model if own is None else own
