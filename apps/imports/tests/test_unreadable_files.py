"""One file that cannot be read never takes the good files beside it along."""

from __future__ import annotations

import json

import pytest

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.domain.parse_result import ParseResult
from apps.imports.domain.parsed_file import ParsedFile, parsed_file_of
from apps.imports.models import FileState, ImportFile, ImportState
from apps.imports.services import bundling, import_store, read
from apps.imports.services.splitting import Split, split
from apps.imports.tests.factories import create_import, sample, team_files
from apps.tools.values import Parameters

GOOD = team_files()[0]
OTHER = ArchiveEntry("dd.txt", sample("dd", "8.x--chinese-4k"))
MIXED = ArchiveEntry("mixed.txt", GOOD.data + b"\n" + sample("iperf", "2.x--team-tcp-10s"))


def negative_share() -> ArchiveEntry:
    """fio's JSON with a share of operations below zero."""
    side = {"total_ios": 100, "io_bytes": 409600, "iops": 10.0, "bw_bytes": 40960, "runtime": 10000}
    options = {"rw": "randread", "bs": "4k"}
    job = {"jobname": "a", "groupid": 0, "error": 0, "job options": options, "read": side}
    job["latency_ms"] = {"2": 50.0, "100": -1e9}
    document = {"fio version": "fio-3.33", "jobs": [job]}
    return ArchiveEntry("bad.json", json.dumps(document).encode())


def states(user: User, *files: ArchiveEntry) -> list[str]:
    imported = create_import(user, files)
    assert imported.state == ImportState.READ
    return list(imported.files.order_by("number").values_list("state", flat=True))


def fail(*_args: object, **_more: object) -> None:
    raise StopIteration


def test_file_with_negative_shares_nearby_is_stored(owner: User) -> None:
    imported = create_import(owner, [GOOD, negative_share()])
    assert imported.files.get(number=1).state == FileState.PARSED
    done = import_store(imported=imported, user=owner)
    assert done.run is not None


def test_files_are_read_one_by_one_when_bundles_fail(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundling, "bundles", fail)
    assert states(owner, GOOD, OTHER) == [FileState.PARSED] * 2


def test_file_whose_splitting_fails_is_refused_alone(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def split_or_fail(main: ImportFile, data: bytes, said: Parameters) -> Split:
        if main.path == OTHER.path:
            raise StopIteration
        return split(main, data, said)

    monkeypatch.setattr(read, "split", split_or_fail)
    assert states(owner, GOOD, OTHER) == [FileState.PARSED, FileState.FAILED]


def test_piece_whose_reading_fails_is_refused_alone(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def understood_or_fail(reading: ParseResult) -> ParsedFile:
        if reading.tool == "iperf" and reading.parsed:
            raise StopIteration
        return parsed_file_of(reading)

    monkeypatch.setattr(read, "parsed_file_of", understood_or_fail)
    assert states(owner, MIXED) == [*(FileState.SPLIT, FileState.PARSED, FileState.FAILED)]
