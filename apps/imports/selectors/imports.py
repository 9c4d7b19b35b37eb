"""Queries on imports: lists, counts, and the names and repeats of points."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from apps.imports.domain.limits import DRY_RUN_STAYS
from apps.imports.models import FileState, Import, ImportFile
from apps.imports.selectors.repeat_numbers import (
    FIELDS,
    RepeatNumbers,
    StoredPoint,
    uses_job_names,
)


def imports_visible() -> QuerySet[Import]:
    """Return all imports, newest first, with the counts of their files."""
    understood = Q(files__state=FileState.PARSED, files__primary_file=None)
    return Import.objects.select_related("owner", "team", "run").annotate(
        file_count=Count("files", filter=Q(files__split_from=None)),
        understood_count=Count("files", filter=understood),
        kept_count=Count("files", filter=understood & Q(files__selected=True)),
    )


def imports_listed() -> QuerySet[Import]:
    """Return the imports without dry runs."""
    return imports_visible().filter(dry_run=False)


def dry_runs_over() -> QuerySet[Import]:
    """Return expired dry runs."""
    return Import.objects.filter(dry_run=True, created_at__lt=timezone.now() - DRY_RUN_STAYS)


def import_size(imported: Import) -> tuple[int, int]:
    """Return the number of files and their bytes."""
    totals = imported.files.aggregate(files=Count("pk"), size=Sum("size"))
    return totals["files"], totals["size"] or 0


def import_counts(imported: Import) -> dict[str, int]:
    """Return the number of files by state.

    "parts" are files that belong to another file's result.
    """
    rows = imported.files.filter(primary_file=None).order_by().values_list("state")
    counts: dict[str, int] = dict.fromkeys(FileState.values, 0)
    counts |= dict(rows.annotate(rows=Count("pk")))
    understood = imported.files.filter(primary_file=None, state=FileState.PARSED)
    counts["selected"] = understood.filter(selected=True).count()
    counts["duplicates"] = understood.exclude(duplicate_of="").count()
    counts["parts"] = imported.files.exclude(primary_file=None).count()
    return counts


def files_shown(imported: Import) -> QuerySet[ImportFile]:
    """Return the files of an import without their bytes and without parts of results."""
    rows = imported.files.filter(primary_file=None).defer("content", "split_from__content")
    return (
        rows.annotate(part_count=Count("parts"))
        .select_related("case", "split_from")
        .order_by("number")
    )


def files_to_store(imported: Import) -> QuerySet[ImportFile]:
    """Return the parsed files that are selected and not stored."""
    return imported.files.filter(
        primary_file=None, state=FileState.PARSED, selected=True, case=None
    ).order_by("number")


def stored_points(imported: Import) -> dict[int, list[StoredPoint]]:
    """Return the names and repeats of the points of each selected file, by file number."""
    numbers = RepeatNumbers(imported)
    # "batch" too: Django sets the import on each row, which would load a deferred field.
    fields = ("batch", "number", "keys", "nameless_keys", *FIELDS)
    rows = imported.files.filter(primary_file=None, state=FileState.PARSED, selected=True)
    return {
        row.number: numbers.number_points(
            row, row.keys if uses_job_names(imported, row) else row.nameless_keys, row.proposals
        )
        for row in rows.order_by("number").only(*fields)
    }


def is_forgotten(imported: Import) -> bool:
    """Return True if work is due and no process has the lease.

    The message or the worker was lost.
    """
    busy = imported.lease_until is not None and imported.lease_until > timezone.now()
    return imported.is_working and not busy
