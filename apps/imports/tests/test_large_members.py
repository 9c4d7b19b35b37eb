"""Large files in archives are taken in a piece at a time, damaged ones too."""

from __future__ import annotations

import gzip
import random
from contextlib import nullcontext

import pytest

from apps.accounts.models import User
from apps.imports.domain.archives import (
    ArchiveBudget,
    ArchiveEntry,
    ImportTooLarge,
    LargeFile,
    archived,
    inflate,
    unpacked,
)
from apps.imports.models import FileState
from apps.imports.selectors.content import content_of
from apps.imports.tests.factories import create_import, sample, tarred, zipped

JSON = sample("fio", "3.33--json+-two-jobs")
FILES = {"a/small.txt": b"x", "a/result.json": JSON, "a/last.txt": b"y"}
PACKED = {
    "zip": zipped(FILES),
    "tar": tarred(FILES, ""),
    "tar.gz": tarred(FILES),
    "tar.xz": tarred(FILES, "xz"),
}


@pytest.fixture(autouse=True)
def _little_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archived, "WHOLE", 3_000)
    monkeypatch.setattr(archived, "PIECE", 1_000)
    monkeypatch.setattr(inflate, "PIECE", 1_000)


@pytest.mark.parametrize("kind", PACKED)
def test_their_pieces_are_their_bytes(kind: str) -> None:
    taken, kinds = {}, {}
    for found in unpacked(f"all.{kind}", PACKED[kind], ArchiveBudget(10 * len(JSON))):
        assert isinstance(found, ArchiveEntry | LargeFile)
        kinds[found.path] = type(found)
        pieces = found.pieces() if isinstance(found, LargeFile) else [found.data]
        taken[found.path] = b"".join(pieces)
        assert found.archive == f"all.{kind}"
    assert taken == FILES
    large = [path for path, each in kinds.items() if each is LargeFile]
    assert large == ["a/result.json"]


def test_an_import_keeps_and_reads_them(owner: User) -> None:
    files = [ArchiveEntry("all.tar.gz", PACKED["tar.gz"])]
    files.append(ArchiveEntry("one.json.gz", gzip.compress(JSON + b"\n")))
    imported = create_import(owner, files)
    rows = {row.path: row for row in imported.files.order_by("number")}
    assert [row.number for row in rows.values()] == [1, 2, 3, 4]
    assert content_of(rows["a/result.json"]) == JSON
    assert rows["a/result.json"].state == FileState.PARSED
    assert content_of(rows["one.json"]) == JSON + b"\n"


@pytest.mark.parametrize("kind", PACKED)
def test_damaged_large_member_is_dropped_and_its_archive_reports_it(owner: User, kind: str) -> None:
    noise = random.Random(1).randbytes(60_000).hex().encode()
    whole = {**FILES, "a/result.json": noise}
    make = {"zip": zipped(whole), "tar": tarred(whole, "")}
    data = bytearray(make.get(kind) or tarred(whole, kind.removeprefix("tar.")))
    if kind == "zip":
        at = data.index(b"a/result.json")
        data[at + 20_000 : at + 20_400] = bytes(400)
    else:
        del data[len(data) // 2 :]
    imported = create_import(owner, [ArchiveEntry(f"all.{kind}", bytes(data))])
    rows = list(imported.files.order_by("number"))
    assert [(row.number, row.path) for row in rows] == [(1, "a/small.txt"), (2, f"all.{kind}")]
    assert "damaged" in rows[1].parse_error


def test_a_member_beyond_the_bounds_is_refused_while_it_comes() -> None:
    bomb = gzip.compress(b"0" * 5_000_000)
    for most in (10_000_000, 1_000_000):
        found = next(unpacked("a.gz", bomb, ArchiveBudget(most)))
        assert isinstance(found, LargeFile)
        with pytest.raises(ImportTooLarge) if most < 5_000_000 else nullcontext():
            assert sum(map(len, found.pieces())) == 5_000_000


def test_a_large_archive_in_an_archive_is_still_refused(owner: User) -> None:
    inner = zipped({"r.json": random.Random(2).randbytes(20_000)})
    (row,) = create_import(owner, [ArchiveEntry("o.tar", tarred({"i.zip": inner}, ""))]).files.all()
    assert row.state == FileState.FAILED
    assert "archive in an archive" in row.parse_error
