"""Batches of parsed files to store, with their parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db.models import F, Prefetch, Sum

from apps.imports.models import Import, ImportFile
from apps.imports.selectors.imports import files_to_store

BATCH_FILES = 500
BATCH_BYTES = 16 << 20
PARTS = "fetched_parts"


def batches_to_store(imported: Import) -> Iterator[list[ImportFile]]:
    """Yield the files with their parts by number, in batches that limit memory."""
    parts_size = Sum("parts__size", default=0)
    sizes = files_to_store(imported).annotate(whole=F("size") + parts_size)
    for keys in batched(dict(sizes.values_list("pk", "whole"))):
        rows = ImportFile.objects.filter(pk__in=keys).order_by("number")
        rows = rows.select_related("batch").prefetch_related("split_from")
        yield list(rows.prefetch_related(Prefetch("parts", to_attr=PARTS)))


def batched(sizes: Mapping[int, int], most: int = BATCH_FILES) -> Iterator[list[int]]:
    """Yield keys of `sizes` (bytes) in order, up to `most` or BATCH_BYTES at a time."""
    batch: list[int] = []
    batch_bytes = 0
    for key, size in sizes.items():
        if batch and (len(batch) >= most or batch_bytes + size > BATCH_BYTES):
            yield batch
            batch, batch_bytes = [], 0
        batch.append(key)
        batch_bytes += size
    if batch:
        yield batch


def parts_of(file: ImportFile) -> list[ImportFile]:
    """Return the prefetched files that belong to this file's result."""
    parts: list[ImportFile] = getattr(file, PARTS)
    return parts
