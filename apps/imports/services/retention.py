"""Retention of files that were sent and not stored."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.services import audit_record
from apps.common.services import Due, RetentionRule, due_rows, rows_delete
from apps.imports.models import FileState, Import, ImportFile, ImportState
from apps.imports.selectors.imports import dry_runs_over

UNSTORED_RETENTION = timedelta(days=30)


def _before() -> datetime:
    return timezone.now() - UNSTORED_RETENTION


def imports_due() -> QuerySet[Import]:
    """Return imports that were neither stored nor changed for 30 days."""
    states = (ImportState.RECEIVED, ImportState.READ)
    return Import.objects.filter(state__in=states, updated_at__lt=_before())


def files_due() -> QuerySet[ImportFile]:
    """Return files that were left out when their import was stored.

    A split text stays as long as its import, because its parts refer to it.
    """
    rows = ImportFile.objects.filter(
        batch__state=ImportState.STORED, batch__updated_at__lt=_before()
    )
    return rows.filter(case=None, primary_file=None).exclude(state=FileState.SPLIT)


def _due() -> Due:
    return Due(ImportFile.objects.filter(batch__in=imports_due()).count() + files_due().count())


def _files_delete() -> Due:
    count = sum(_discard(key) for key in list(imports_due().values_list("pk", flat=True)))
    return Due(count + rows_delete(files_due()))


@transaction.atomic
def _discard(key: int) -> int:
    """Discard an import that is still due. Return the number of deleted files."""
    imported = imports_due().select_for_update().filter(pk=key).first()
    if imported is None:
        return 0
    count = imported.files.count()
    imported.files.all().delete()
    imported.state, imported.lease_until = ImportState.DISCARDED, None
    imported.save()
    audit_record(user=None, action="discard", subject=imported)
    return count


RETENTION = [
    RetentionRule(
        model=ImportFile,
        period="with its import; a file not stored 30 days after the last change of its import",
        task="imports.retention",
        due=_due,
        apply=_files_delete,
    ),
    due_rows(
        Import,
        "forever, to show who sent what; a dry run 1 hour",
        dry_runs_over,
        task="imports.retention",
    ),
]
