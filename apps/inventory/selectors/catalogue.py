"""Queries of the catalogue of disk models."""

from __future__ import annotations

from apps.inventory.domain.catalogue import best_entry
from apps.inventory.models import CatalogueEntry, Disk


def catalogue_entries() -> list[CatalogueEntry]:
    """Return all entries; one query, however many disks are compared with them."""
    return list(CatalogueEntry.objects.all())


def entry_of(disk: Disk, entries: list[CatalogueEntry] | None = None) -> CatalogueEntry | None:
    """Return the catalogue's entry of a disk with its model loaded.

    None for an array: what the host sees as its model is that of a controller.
    """
    if not disk.model or disk.array is not None:
        return None
    known = catalogue_entries() if entries is None else entries
    return best_entry(known, disk.model.name, disk.size)
