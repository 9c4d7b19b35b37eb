"""Understood files of an import as they are stored: some at a time with their parts, and what was
measured in them. HeldFiles (sources) has them at hand; here they are fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from django.db.models import F, Prefetch, Sum

from apps.imports.models import Import, ImportFile
from apps.imports.reading.readings import readings_of
from apps.imports.reading.result import ResultRead
from apps.imports.selectors import files_to_store

BATCH_FILES = 500
BATCH_BYTES = 16 << 20
PARTS = "fetched_parts"


class FilesToStore(Protocol):
    """Those that Store puts into the archive, in the order of their numbers."""

    def batches(self) -> Iterator[list[ImportFile]]:
        """The files with their parts (PARTS), some at a time."""

    def readings_of(self, rows: Sequence[ImportFile]) -> dict[int, ResultRead]:
        """Readings of these by key; none where a file has to be read again."""


class StoredResults:
    """Rows and readings of the database: their bytes are never all in memory."""

    def __init__(self, imported: Import) -> None:
        self._imported = imported

    def batches(self) -> Iterator[list[ImportFile]]:
        own = Sum("parts__size", default=0)
        sizes = files_to_store(self._imported).annotate(whole=F("size") + own)
        for keys in batched(dict(sizes.values_list("pk", "whole"))):
            rows = ImportFile.objects.filter(pk__in=keys).order_by("number")
            yield list(rows.prefetch_related(Prefetch("parts", to_attr=PARTS)))

    def readings_of(self, rows: Sequence[ImportFile]) -> dict[int, ResultRead]:
        return readings_of(rows)


def batched(sizes: Mapping[int, int]) -> Iterator[list[int]]:
    """Keys of files, in their order, some at a time by their bytes."""
    some: list[int] = []
    held = 0
    for key, size in sizes.items():
        if some and (len(some) >= BATCH_FILES or held + size > BATCH_BYTES):
            yield some
            some, held = [], 0
        some.append(key)
        held += size
    if some:
        yield some


def parts_of(file: ImportFile) -> list[ImportFile]:
    """The files that belong to this one's result, fetched with it."""
    parts: list[ImportFile] = getattr(file, PARTS)
    return parts
