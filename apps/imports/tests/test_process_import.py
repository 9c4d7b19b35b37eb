"""Large imports are read by a process of their own; what that cannot read keeps nobody waiting."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import FileState, Import, ImportState
from apps.imports.services import import_store, request
from apps.imports.services import subprocess as apart
from apps.imports.tasks import advance
from apps.imports.tests.factories import create_import, team_files

pytestmark = pytest.mark.django_db(transaction=True)
MIB = 1 << 20


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request, "READ_AT_ONCE_FILES", 0)
    monkeypatch.setattr(request, "send", lambda _name, _pk: None)
    monkeypatch.setattr(apart, "IN_PROCESS_LIMIT", 0)


def advanced(imported: Import) -> Import:
    advance(imported.pk)
    imported.refresh_from_db()
    return imported


def test_another_process_reads_and_stores(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "import_read", None)
    monkeypatch.setattr(apart, "import_write", None)
    imported = advanced(create_import(owner))
    assert imported.state == ImportState.READ
    assert set(imported.files.values_list("state", flat=True)) == {FileState.PARSED}
    import_store(imported=imported, user=owner)
    assert advanced(imported).state == ImportState.STORED
    assert imported.run is not None
    assert imported.run.case_count == 6


def test_what_takes_too_much_memory_is_refused_alone(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "MEMORY_LIMIT", 64 * MIB)
    large = ArchiveEntry("large.txt", b"no tool says this\n" * (6 * MIB))
    first, *others = team_files()
    imported = advanced(create_import(owner, [first, large, *others]))
    assert imported.state == ImportState.READ
    refused = imported.files.exclude(state=FileState.PARSED).get()
    assert refused.path == "large.txt"
    assert "memory" in refused.parse_error
    assert not refused.selected


def test_a_process_that_cannot_start_ends_the_reading(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    imported = advanced(create_import(owner))
    assert imported.state == ImportState.READ
    assert {row.parse_error for row in imported.files.all()} == {
        "It could not be read: exit code 1."
    }
