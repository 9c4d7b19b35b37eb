"""A person's words about host, target and tuning count more than those of names of folders."""

from __future__ import annotations

from pathlib import Path

from django.core.management import call_command
from django.test import Client

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import Import
from apps.imports.selectors.stored_names import stored_names
from apps.imports.services import import_update
from apps.imports.tests.factories import create_import, sample
from apps.runs.models import Case

FILE = "after/node1-ssd/4k/randwrite-128-1.json"


def found() -> ArchiveEntry:
    return ArchiveEntry(FILE, sample("fio", "3.33--json-fsync"))


def place(imported: Import) -> tuple[str, str, str]:
    where = stored_names(imported, imported.files.get())
    return where.host, where.target, where.tuning


def test_folders_count_where_nobody_says_anything(owner: User) -> None:
    assert place(create_import(owner, [found()])) == ("unnamed-host", "node1-ssd", "after")


def test_names_of_the_import_precede_suggested_names(owner: User) -> None:
    said = {"host_name": "h", "target_name": "vdb", "tuning_name": "none"}
    assert place(create_import(owner, [found()], **said)) == ("h", "vdb", "none")


def test_names_entered_later_precede_suggested_names(owner: User) -> None:
    imported = create_import(owner, [found()])
    imported = import_update(imported=imported, user=owner, names={"target_name": "vdb"})
    assert place(imported) == ("unnamed-host", "vdb", "after")
    imported = import_update(
        imported=imported, user=owner, names={}, files={1: {"target_name": "vdc"}}
    )
    assert place(imported) == ("unnamed-host", "vdc", "after")


def test_names_form_submitted_unchanged_enters_no_suggested_name(
    owner_client: Client, owner: User
) -> None:
    imported = create_import(owner, [found()])
    page = owner_client.get(f"/imports/{imported.pk}/").content.decode()
    assert 'placeholder="node1-ssd"' in page
    said = {"1-selected": "on", "1-host_name": "", "1-target_name": "", "1-tuning_name": ""}
    owner_client.post(f"/imports/{imported.pk}/names/", {"name": "x", **said})
    imported = import_update(imported=imported, user=owner, names={"target_name": "vdb"})
    assert place(imported)[1] == "vdb"


def test_the_commands_options_count_more(admin: User, tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.parent.mkdir(parents=True)
    file.write_bytes(found().data)
    options = ["--target", "vdb", "--tuning", "none", "--host", "h"]
    call_command("import", str(tmp_path / "after"), *options)
    case = Case.objects.get()
    assert (case.host.name, case.target_words, case.tuning_name) == ("h", "vdb", "none")
