"""Reads about imports: lists, what was understood, and what each file would become."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from apps.imports.domain.limits import DRY_RUN_STAYS
from apps.imports.models import FileState, Import, ImportFile
from apps.imports.selectors.placing import FIELDS, Placing, StoredPoint


def imports_visible() -> QuerySet[Import]:
    """Every import, newest first, with the numbers of its files."""
    understood = Q(files__state=FileState.PARSED, files__primary_file=None)
    return Import.objects.select_related("owner", "team", "run").annotate(
        file_count=Count("files", filter=Q(files__split_from=None)),
        understood_count=Count("files", filter=understood),
        kept_count=Count("files", filter=understood & Q(files__selected=True)),
    )


def imports_listed() -> QuerySet[Import]:
    """Those without dry runs, which only who sent them asks for."""
    return imports_visible().filter(dry_run=False)


def dry_runs_over() -> QuerySet[Import]:
    """Dry runs that have stayed long enough."""
    return Import.objects.filter(dry_run=True, created_at__lt=timezone.now() - DRY_RUN_STAYS)


def import_size(imported: Import) -> tuple[int, int]:
    """Number of files, and their bytes."""
    found = imported.files.aggregate(files=Count("pk"), size=Sum("size"))
    return found["files"], found["size"] or 0


def import_counts(imported: Import) -> dict[str, int]:
    """Files by state; "parts" are files that belong to another one's result."""
    rows = imported.files.filter(primary_file=None).order_by().values_list("state")
    counts: dict[str, int] = dict.fromkeys(FileState.values, 0)
    counts |= dict(rows.annotate(rows=Count("pk")))
    understood = imported.files.filter(primary_file=None, state=FileState.PARSED)
    counts["selected"] = understood.filter(selected=True).count()
    counts["duplicates"] = understood.exclude(duplicate_of="").count()
    counts["parts"] = imported.files.exclude(primary_file=None).count()
    return counts


def files_shown(imported: Import) -> QuerySet[ImportFile]:
    """The files of an import without their bytes: every one that is no part of another one's
    result.
    """
    rows = imported.files.filter(primary_file=None).defer("content", "split_from__content")
    return (
        rows.annotate(part_count=Count("parts"))
        .select_related("case", "split_from")
        .order_by("number")
    )


def files_to_store(imported: Import) -> QuerySet[ImportFile]:
    """Files that Store puts into the archive."""
    return imported.files.filter(
        primary_file=None, state=FileState.PARSED, selected=True, case=None
    ).order_by("number")


def names_count(imported: Import, row: ImportFile) -> bool:
    """Whether the names of this file's jobs tell its tests apart where nothing else does."""
    return not (imported.ignore_job_names or row.ignore_job_names)


def points_placed(imported: Import) -> dict[int, list[StoredPoint]]:
    """The places of the points of each file that is stored, by the file's number."""
    placing = Placing(imported)
    # "batch" too: the import is set on each row, which reads a field that was left out.
    names = ("batch", "number", "keys", "nameless_keys", "ignore_job_names", *FIELDS)
    rows = imported.files.filter(primary_file=None, state=FileState.PARSED, selected=True)
    return {
        row.number: placing.place(
            row, row.keys if names_count(imported, row) else row.nameless_keys, row.places
        )
        for row in rows.order_by("number").only(*names)
    }


def is_forgotten(imported: Import) -> bool:
    """Whether there is work to do that nobody does: a message was lost, or a worker."""
    busy = imported.lease_until is not None and imported.lease_until > timezone.now()
    return imported.is_working and not busy
