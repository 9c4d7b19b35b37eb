"""Queries for disk models and specified figures."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Count, QuerySet

from apps.inventory.models import CatalogueEntry, Disk, DiskModel
from apps.inventory.schemas.specifications import FIGURES, Specification
from apps.inventory.selectors.catalogue import catalogue_entries, entry_of


def disk_models_for_list() -> QuerySet[DiskModel]:
    """Return every disk model with the number of its disks (`disk_count`)."""
    return DiskModel.objects.annotate(disk_count=Count("disks"))


def specification_of(
    disk: Disk, entries: list[CatalogueEntry] | None = None
) -> Specification | None:
    """Return the figures of a disk: its own, else its model's, else the catalogue's.

    None: no figure. `entries`: the catalogue, if it is loaded.
    """
    own = disk.specification.figures if hasattr(disk, "specification") else Specification()
    model = disk.model.figures if disk.model else Specification()
    entry = entry_of(disk, entries)
    stated = entry.figures if entry else Specification()
    result = {
        name: _first(getattr(own, name), getattr(model, name), getattr(stated, name))
        for name in FIGURES
    }
    return Specification(**result) if any(result.values()) else None


def specifications_of(disks: Collection[int] | QuerySet[Any, Any]) -> dict[int, Specification]:
    """Return the figures of these disks (keys or a query) by key, without disks that have none."""
    rows = list(Disk.objects.filter(pk__in=disks).select_related("model", "specification"))
    entries = catalogue_entries() if rows else []
    result = {disk.pk: specification_of(disk, entries) for disk in rows}
    return {pk: figures for pk, figures in result.items() if figures is not None}


def _first(*values: float | None) -> float | None:
    return next((value for value in values if value is not None), None)
