"""Files of a folder are read before Django is loaded; what they hold when they come in counts."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import call_command

from apps.accounts.models import User
from apps.imports.models import Import, ImportFile
from apps.imports.reading import early
from apps.imports.reading.early import begun, read_ahead
from apps.imports.tests.factories import sample

pytestmark = pytest.mark.django_db
FIRST, SECOND = "3.33--json-fsync", "3.33--json-mixed"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(early, "FEWEST", 2)
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: {0, 1})
    top = tmp_path / "results"
    top.mkdir()
    (top / "a.json").write_bytes(sample("fio", FIRST))
    (top / "b.txt").write_text("no tool says this\n")
    (top / "link.json").symlink_to(top / "a.json")
    return top


def rows(folder: Path) -> list[tuple[object, ...]]:
    """Files of a new import of the folder, as they are read."""
    call_command("import", str(folder), stdout=io.StringIO(), stderr=io.StringIO())
    names = ("path", "state", "size", "sha256", "keys", "version", "refusal")
    files = ImportFile.objects.filter(of=Import.objects.latest("pk"))
    return list(files.order_by("number").values_list(*names))


def test_rows_are_those_of_files_that_are_read_here(
    admin: User, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = rows(folder)
    with read_ahead([str(folder), "--host", "ceph-1"]):
        assert sorted(begun()) == [str(folder / "a.json"), str(folder / "b.txt")]
        # What is packed here was not read before.
        monkeypatch.setattr("apps.imports.reading.intake.packed_bytes", None)
        assert rows(folder) == here
    assert not begun()


def test_a_file_that_changed_since_is_read_again(admin: User, folder: Path) -> None:
    (folder / "c.json").write_bytes(sample("fio", FIRST))
    with read_ahead([str(folder)]):
        for errand, _place in begun().values():
            errand.result()
        (folder / "a.json").write_bytes(sample("fio", SECOND))
        changed = rows(folder)
    assert changed == rows(folder)


@pytest.mark.parametrize("option", ["--as-run", "--as-run=fio --rw=read", "--a"])
def test_options_that_readers_have_to_know_begin_nothing(folder: Path, option: str) -> None:
    with read_ahead([str(folder), option, "fio --rw=read"]):
        assert not begun()


def test_what_an_option_says_is_no_folder(folder: Path) -> None:
    with read_ahead(["other", "--target", str(folder)]):
        assert not begun()


def test_one_processor_begins_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: {0})
    with read_ahead([str(folder)]):
        assert not begun()
