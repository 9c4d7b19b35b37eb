"""Retention of files that were sent and not stored."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import AuditEntry, User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import Import, ImportState
from apps.imports.services import import_store
from apps.imports.tasks import retention
from apps.imports.tests.factories import create_import, team_files


def changed(imported: Import, days: int) -> None:
    then = timezone.now() - timedelta(days=days)
    Import.objects.filter(pk=imported.pk).update(updated_at=then)


def test_import_not_stored_for_30_days_is_discarded(owner: User) -> None:
    old, new = create_import(owner), create_import(owner)
    changed(old, 31)
    changed(new, 29)

    retention()

    old.refresh_from_db()
    new.refresh_from_db()
    assert (old.state, old.files.count()) == (ImportState.DISCARDED, 0)
    assert (new.state, new.files.count()) == (ImportState.READ, 6)
    assert AuditEntry.objects.get(action="discard").username == "benchlab"


def test_files_left_out_of_a_stored_import_are_deleted(owner: User) -> None:
    files = [*team_files(), ArchiveEntry("notes.txt", b"nothing that a tool wrote\n")]
    imported = import_store(imported=create_import(owner, files), user=owner, at_once=True)
    changed(imported, 29)
    retention()
    assert imported.files.count() == 7
    changed(imported, 31)
    retention()
    assert imported.files.count() == 6
    assert not imported.files.filter(case=None).exists()


def test_dry_runs_are_deleted(owner: User) -> None:
    create_import(owner, dry_run=True)
    retention()
    assert Import.objects.count() == 1
    Import.objects.update(created_at=timezone.now() - timedelta(hours=2))
    retention()
    assert not Import.objects.exists()
