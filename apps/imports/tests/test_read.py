"""Sent files are read: understood or not, with the reason, and nothing is lost."""

from __future__ import annotations

import gzip

import pytest

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry, ImportTooLarge
from apps.imports.models import FileState, Import, ImportFile
from apps.imports.selectors.content import content_of
from apps.imports.services import import_store, import_update
from apps.imports.tests.factories import (
    create_import,
    repeats_of,
    sample,
    tarred,
    team_files,
    zipped,
)


def only(imported: Import) -> ImportFile:
    return imported.files.get()


def test_the_teams_files_are_understood_and_named(owner: User) -> None:
    imported = create_import(owner)
    assert imported.state == "read"
    rows = list(imported.files.order_by("number"))
    assert {row.state for row in rows} == {FileState.PARSED}
    assert [row.suggested_names for row in rows] == [{"tuning_name": "before"}] * 3 + [
        {"tuning_name": "after"}
    ] * 3
    write = rows[0].points[0]
    assert round(write.measurements[0].bandwidth / 1e4) == 8737
    assert "seq ran out of objects" in rows[1].points[0].warnings[0]


def test_the_same_workload_before_and_after(owner: User) -> None:
    keys = [row.keys for row in create_import(owner).files.order_by("number")]
    assert keys[:3] == keys[3:]


def test_unparsed_file_is_stored_with_its_error(owner: User) -> None:
    listener = b"Server listening on TCP port 6900\nTCP window size: 85.3 KByte (default)\n"
    text = b"-" * 60 + b"\n" + listener + b"-" * 60 + b"\n"
    row = only(create_import(owner, [ArchiveEntry("server.txt", text)]))
    assert (row.state, row.selected) == (FileState.FAILED, False)
    assert "no client connected" in row.parse_error
    assert content_of(row) == text


def test_a_text_of_no_tool_names_the_tools(owner: User) -> None:
    row = only(create_import(owner, [ArchiveEntry("notes.txt", b"meeting at ten\n")]))
    assert "No tool recognises it" in row.parse_error
    assert "rados bench" in row.parse_error


def test_empty_file_is_reported_as_empty(owner: User) -> None:
    assert (
        only(create_import(owner, [ArchiveEntry("a.json", b" \n")])).parse_error
        == "The file is empty."
    )


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "data",
    [
        b'{"fio version": "fio-3.33", "jobs": ' + b"[" * 100_000,
        b'{"fio version": "fio-3.33", "jobs": [{"jobname": "a", "read": {"iops": '
        + b"9" * 5000 + b"}}]}",
        b'{"start": {"connected": []}, "intervals": ' + b'{"a":' * 100_000,
        b'{"sysstat": {"hosts": ' + b"[" * 100_000,
        b"\xff\xfe\x00" * 1000,
        b"0,0,0," * 80_000,
    ],
)  # fmt: skip
def test_hostile_content_gets_a_sentence(owner: User, data: bytes) -> None:
    row = only(create_import(owner, [ArchiveEntry("hostile", data)]))
    assert row.state == FileState.FAILED
    assert "benchlab failed" not in row.parse_error


def test_names_and_texts_postgresql_refuses_are_made_storable(owner: User) -> None:
    one = sample("rados", "12.2--rand-before-tuning")
    data = one.replace(b"Total", b"wh\xedle \x00 \xed\xa0\x80\nTotal", 1)
    row = only(create_import(owner, [ArchiveEntry("a.txt", data)]))
    assert content_of(row) == data


def test_files_of_an_archive_are_files_with_its_name(owner: User) -> None:
    inner = {found.path: found.data for found in team_files()}
    for data in (zipped(inner), tarred(inner)):
        imported = create_import(owner, [ArchiveEntry("old.archive", data)])
        rows = list(imported.files.filter(state=FileState.PARSED))
        assert {row.path for row in rows} == set(inner)
        assert {row.archive for row in rows} == {"old.archive"}


def test_archive_in_an_archive_is_stored_unopened(owner: User) -> None:
    inner = gzip.compress(b"text")
    row = only(create_import(owner, [ArchiveEntry("a.zip", zipped({"b.gz": inner}))]))
    assert "archive in an archive" in row.parse_error
    assert content_of(row) == inner


def test_damaged_archive_is_stored(owner: User) -> None:
    data = zipped({"a.txt": b"text"})[:-5]
    row = only(create_import(owner, [ArchiveEntry("a.zip", data)]))
    assert (row.state, row.path) == (FileState.SKIPPED, "a.zip")
    assert "damaged" in row.parse_error
    assert content_of(row) == data


def test_bomb_stores_nothing(owner: User) -> None:
    bomb = gzip.compress(bytes(40 * 1024**2))
    with pytest.raises(ImportTooLarge):
        create_import(owner, [*team_files(), ArchiveEntry("zeros.gz", bomb)])
    assert not Import.objects.exists()
    assert not ImportFile.objects.exists()


def test_duplicate_of_a_stored_file_is_reported_and_not_selected(owner: User) -> None:
    first = import_store(imported=create_import(owner), user=owner)
    again = create_import(owner)
    assert first.run is not None
    for row in again.files.all():
        assert row.duplicate_of == f"The same bytes are in run {first.run.pk}, “old results”."
        assert not row.selected


def test_the_same_file_twice_in_one_import_is_chosen_once(owner: User) -> None:
    one = sample("rados", "12.2--rand-before-tuning")
    rows = create_import(owner, [ArchiveEntry("a/x.txt", one), ArchiveEntry("b/x.txt", one)]).files
    first, second = rows.order_by("number")
    assert (first.selected, second.selected) == (True, False)
    assert second.duplicate_of == "The same bytes as in a/x.txt."


def test_two_files_of_one_name_are_two_files(owner: User) -> None:
    one = sample("rados", "12.2--rand-before-tuning")
    files = [ArchiveEntry("x.txt", one), ArchiveEntry("x.txt", one + b"\n")]
    rows = create_import(owner, files).files.all()
    assert [row.state for row in rows] == [FileState.PARSED] * 2


def test_repeats_follow_the_names_people_give(owner: User) -> None:
    one = sample("rados", "12.2--rand-before-tuning")
    imported = create_import(owner, [ArchiveEntry(f"{n}.txt", one + b"\n" * n) for n in range(3)])
    assert repeats_of(imported) == {1: [1], 2: [2], 3: [3]}
    import_update(imported=imported, user=owner, names={}, files={2: {"tuning_name": "after"}})
    assert repeats_of(imported) == {1: [1], 2: [1], 3: [2]}
