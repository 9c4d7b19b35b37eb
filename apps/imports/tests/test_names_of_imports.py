"""An import is called what it holds, until a person calls it something else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import Import
from apps.imports.services import import_update
from apps.imports.tests.factories import create_import, sample, team_files, zipped
from apps.runs.models import Run

Api = Callable[[User | None], APIClient]
FIO = sample("fio", "3.1--randread-4k-qd128")
DD = sample("dd", "8.x--chinese-4k")
SIX = {each.path: each.data for each in team_files()}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([ArchiveEntry("day.txt", FIO)], "fio, 1 result: day.txt"),
        (
            [ArchiveEntry("old/a.txt", FIO), ArchiveEntry("old/b.txt", DD)],
            "fio, dd, 2 results: old/",
        ),
        (
            [ArchiveEntry("a.txt", FIO), ArchiveEntry("b.txt", DD)],
            "fio, dd, 2 results: a.txt and 1 more",
        ),
        ([ArchiveEntry("spring.zip", zipped(SIX))], "rados bench, 6 results: spring.zip"),
        ([ArchiveEntry("list.txt", b"nothing of any tool")], "list.txt"),
    ],
)
def test_it_is_called_what_it_holds(files: list[ArchiveEntry], expected: str, owner: User) -> None:
    assert create_import(owner, files, name="").name == expected


def test_the_longest_name_is_cut_at_its_beginning(owner: User) -> None:
    name = create_import(owner, [ArchiveEntry(f"{'x' * 200}-day.txt", FIO)], name="").name
    assert len(name) == 120
    assert name.startswith("fio, 1 result: ...xxx")
    assert name.endswith("x-day.txt")


def test_a_persons_name_stays_until_it_is_taken_away(owner: User) -> None:
    imported = create_import(owner, name="")
    assert imported.name == f"rados bench, 6 results: {team_files()[0].path} and 5 more"
    mine = import_update(imported=imported, user=owner, names={"name": "before the move"})
    assert (mine.name, mine.is_named) == ("before the move", True)
    again = import_update(imported=imported, user=owner, names={"name": ""})
    assert again.name == imported.name
    assert Import.objects.get().name == imported.name


def test_the_preview_has_it_to_be_changed(owner_client: Client, owner: User) -> None:
    imported = create_import(owner, [ArchiveEntry("day.txt", FIO)], name="")
    page = owner_client.get(f"/imports/{imported.pk}/").content.decode()
    assert 'value="fio, 1 result: day.txt"' in page
    owner_client.post(f"/imports/{imported.pk}/names/", {"name": "mine", "then": "store"})
    assert Run.objects.get().name == "mine"


def test_scripts_may_name_it(api: Api, owner: User) -> None:
    imported = create_import(owner, [ArchiveEntry("day.txt", FIO)], name="")
    address = f"/api/v1/imports/{imported.pk}/"
    assert api(owner).patch(address, {"name": "mine"}).json()["name"] == "mine"
    assert api(owner).patch(address, {"name": ""}).json()["name"] == "fio, 1 result: day.txt"


def test_the_command_names_it_as_the_pages_do(admin: User, tmp_path: Path) -> None:
    folder = tmp_path / "spring"
    folder.mkdir()
    (folder / "day.txt").write_bytes(FIO)
    call_command("import", str(folder))
    assert Run.objects.get().name == "fio, 1 result: spring/"


def test_naming_files_and_imports_is_remembered(owner_client: Client, owner: User) -> None:
    imported = create_import(owner)
    before = AuditEntry.objects.count()
    form = {"name": "old results", "1-selected": "on", "1-tuning_name": "slow", "1-host_name": "n1"}
    owner_client.post(f"/imports/{imported.pk}/names/", form)
    entry = AuditEntry.objects.order_by("pk").last()
    assert entry is not None
    assert (entry.action, entry.object_type, entry.object_id) == (
        "change",
        "import",
        str(imported.pk),
    )
    assert entry.detail == {"files": {"1": {"host_name": "n1", "tuning_name": "slow"}}}
    owner_client.post(f"/imports/{imported.pk}/names/", form)
    assert AuditEntry.objects.count() == before + 1
    owner_client.post(f"/imports/{imported.pk}/names/", form | {"target_name": "vdb"})
    last = AuditEntry.objects.order_by("pk").last()
    assert last is not None
    assert last.detail == {"target_name": "vdb", "files": {}}


def test_text_is_pasted_into_the_page(owner_client: Client) -> None:
    page = owner_client.get("/imports/new/").content.decode()
    assert '<textarea class="form-control font-monospace" name="text"' in page
    note = (FIO + b"\n" + DD).decode().replace("\n", "\r\n")
    answer = owner_client.post("/imports/new/", {"text": note})
    imported = Import.objects.get()
    assert answer["Location"] == f"/imports/{imported.pk}/"
    assert imported.name == "fio, dd, 2 results: pasted.txt"
    assert [row.path.partition(" ")[0] for row in imported.files.all()] == ["pasted.txt"] * 3


def test_what_was_pasted_comes_back_with_an_error(owner_client: Client) -> None:
    form = {"text": "a <b> & c", "host_name": "no/host"}
    answer = owner_client.post("/imports/new/", form)
    assert answer.status_code == 400
    assert "a &lt;b&gt; &amp; c</textarea>" in answer.content.decode()


def test_nothing_pasted_is_no_file(owner_client: Client) -> None:
    assert owner_client.post("/imports/new/", {"text": " \r\n"}).status_code == 400
    assert not Import.objects.exists()
