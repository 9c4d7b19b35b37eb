"""Large files are taken in and read a piece at a time, and become what they become as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import User
from apps.imports.domain import folders
from apps.imports.domain.archives import ArchiveEntry, LargeFile, SkippedEntry
from apps.imports.forms import uploads
from apps.imports.models import Import, ImportFile
from apps.imports.selectors import reparsed
from apps.imports.selectors.content import content_of
from apps.imports.tests.factories import create_import, sample, zipped

JSON = sample("fio", "3.33--json+-two-jobs")


def test_only_large_files_that_are_no_archives_come_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = zipped({"result.json": JSON})
    for name, data in {"a.json": JSON, "b.zip": packed, "c.json": b"{}"}.items():
        (tmp_path / name).write_bytes(data)
    files = [SimpleUploadedFile(path.name, path.read_bytes()) for path in tmp_path.iterdir()]
    for module in (folders, uploads):
        monkeypatch.setattr(module, "WHOLE", 100)
    for found in (folders.walked([tmp_path], 1 << 30), uploads.uploaded(files, [])):
        kinds = {}
        for each in found:
            large = isinstance(each, LargeFile)
            kinds[each.path.rpartition("/")[2]] = large
            assert not isinstance(each, SkippedEntry)
            data = b"".join(each.pieces()) if isinstance(each, LargeFile) else each.data
            assert data == (tmp_path / each.path.rpartition("/")[2]).read_bytes()
        assert kinds == {"a.json": True, "b.zip": False, "c.json": False}


def test_large_log_of_a_result_is_parsed_in_pieces(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = b"".join(b"%d, %d, 0, 0, 0\n" % (at * 1000, 1000 + at) for at in range(1, 9))
    files = [ArchiveEntry("r/result.json", JSON), ArchiveEntry("r/result_bw.1.log", log)]

    def understood(imported: Import) -> list[object]:
        rows = imported.files.order_by("number")
        return list(rows.values_list("state", "role", "points", "warnings"))

    whole = understood(create_import(owner, files))
    held: list[str] = []

    def held_content(row: ImportFile) -> bytes:
        held.append(row.path)
        return content_of(row)

    monkeypatch.setattr(reparsed, "NEVER_SPLIT", 1)
    monkeypatch.setattr(reparsed, "content_of", held_content)
    assert understood(create_import(owner, files)) == whole
    assert whole
    assert set(held) == {"r/result.json"}
