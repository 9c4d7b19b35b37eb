"""What an export writes again, deletes and refuses."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from collections import defaultdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow.dataset
import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.utils import timezone

from apps.accounts.models import User
from apps.lake.models import LakeExport
from apps.lake.services import parquet
from apps.lake.tests.world import (
    NOVEMBER,
    OCTOBER,
    create_ended_run,
    export,
    files,
    lake,
    manifest,
    paths,
    reparse,
)
from apps.runs.models import Run
from apps.runs.services.archive import run_delete

pytestmark = pytest.mark.django_db(transaction=True)


def test_deleted_is_gone_reparsed_is_replaced_and_nothing_else_is_touched(
    owner: User, tmp_path: Path
) -> None:
    reused, deleted, reparsed = (
        create_ended_run(owner, moment)
        for moment in (OCTOBER, NOVEMBER, NOVEMBER + timedelta(days=40))
    )
    export(tmp_path)
    before = _by_month(tmp_path)
    times = {path: (tmp_path / path).stat() for path in before["2026-10"]}
    run_delete(run=deleted, user=owner, name=deleted.name)
    reparse(reparsed, iops=77.0)
    made = export(tmp_path)
    after = _by_month(tmp_path)
    assert after.keys() == {"2026-10", "2026-12"}
    assert after["2026-10"] == before["2026-10"]
    assert {path: (tmp_path / path).stat() for path in before["2026-10"]} == times
    assert after["2026-12"].isdisjoint(before["2026-12"])
    assert made.months == 1
    with lake(tmp_path) as duck:
        rows = duck.execute("SELECT run_id, iops, parser_version FROM measurements ORDER BY 1")
        assert rows.fetchall() == [(reused.pk, 32_768.0, 1), (reparsed.pk, 77.0, 2)]
    # Readers of the earlier manifest have a day.
    gone = before["2026-11"] | before["2026-12"]
    assert gone <= files(tmp_path)
    assert gone == {one["path"] for one in manifest(tmp_path)["replaced"]}


def _by_month(folder: Path) -> dict[str, set[str]]:
    """The files of each month that have rows."""
    result = defaultdict(set)
    for one in manifest(folder)["files"]:
        if one["rows"]:
            result[one["month"]].add(one["path"])
    return result


def test_replaced_files_and_those_of_killed_exports_go_a_day_later(
    owner: User, tmp_path: Path
) -> None:
    run = create_ended_run(owner)
    export(tmp_path)
    first = set(paths(tmp_path, "measurements"))
    (name,) = first
    killed = name.replace(name.split("-")[-2], "0123456789ab") + ".tmp"
    (tmp_path / killed).touch()
    old = (timezone.now() - timedelta(days=2)).timestamp()
    for path in (*first, killed):
        os.utime(tmp_path / path, (old, old))
    reparse(run, iops=1.0)
    export(tmp_path)
    assert first <= files(tmp_path)
    assert killed not in files(tmp_path)
    document = manifest(tmp_path)
    for one in document["replaced"]:
        one["replaced_at"] = "2026-01-01T00:00:00Z"
    (tmp_path / "_manifest.json").write_text(json.dumps(document))
    export(tmp_path)
    assert first.isdisjoint(files(tmp_path))
    assert set(paths(tmp_path, "measurements")) <= files(tmp_path)


def test_killed_export_leaves_a_manifest_of_whole_files(
    owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = create_ended_run(owner)
    count = 0
    for number in range(100):
        if _is_killed_after(number, tmp_path):
            _assert_whole(tmp_path)
            reparse(run, iops=float(number))
            continue
        count = number
        break
    # Six tables, two readers, the identity and the manifest.
    assert count >= 8
    _assert_whole(tmp_path)
    with lake(tmp_path) as duck:
        assert duck.execute("SELECT iops FROM measurements").fetchall() == [(count - 1.0,)]


def _is_killed_after(number: int, folder: Path) -> bool:
    """Export in a process that is killed between the file with this number and the next one."""
    connections.close_all()
    if child := os.fork():
        _child, status = os.waitpid(child, 0)
        assert status in (0, signal.SIGKILL)
        return status != 0
    left = [number]
    write = Path.rename

    def rename(self: Path, target: Path) -> Path:
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return write(self, target)

    try:
        Path.rename = rename  # type: ignore[method-assign,assignment] # of the child
        export(folder)
        os._exit(0)
    finally:
        os._exit(1)


def _assert_whole(folder: Path) -> None:
    if not (folder / "_manifest.json").exists():
        return
    for one in manifest(folder)["files"]:
        content = (folder / one["path"]).read_bytes()
        assert len(content) == one["bytes"]
        assert hashlib.sha256(content).hexdigest() == one["sha256"]
        assert pyarrow.dataset.dataset(folder / one["path"]).count_rows() == one["rows"]


def test_large_tables_are_several_files_and_row_groups(
    owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _number in range(3):
        create_ended_run(owner)
    monkeypatch.setattr("apps.lake.selectors.months.BATCH_CASES", 1)
    monkeypatch.setattr(parquet, "GROUP_ROWS", 1)
    monkeypatch.setattr(parquet, "FILE_BYTES", 1)
    export(tmp_path)
    assert len(paths(tmp_path, "runs")) == 3
    assert [one["rows"] for one in manifest(tmp_path)["files"] if one["table"] == "runs"] == [1] * 3
    with lake(tmp_path) as duck:
        assert duck.execute("SELECT count(DISTINCT run_id) FROM measurements").fetchone() == (3,)


def test_a_missing_file_is_written_again(owner: User, tmp_path: Path) -> None:
    create_ended_run(owner)
    export(tmp_path)
    (path,) = paths(tmp_path, "cases")
    (tmp_path / path).unlink()
    export(tmp_path)
    assert set(paths(tmp_path, "cases")) <= files(tmp_path)
    assert paths(tmp_path, "cases") != [path]


def test_command_says_what_it_would_write(owner: User, tmp_path: Path, capsys: Any) -> None:
    create_ended_run(owner)
    folder = tmp_path / "lake"
    call_command("lake", str(folder))
    said = capsys.readouterr().out
    assert "measurements: 1 rows, about" in said
    assert not folder.exists()
    assert not LakeExport.objects.exists()
    call_command("lake", str(folder), "--do")
    assert LakeExport.objects.get().rows == sum(one["rows"] for one in manifest(folder)["files"])
    capsys.readouterr()
    call_command("lake", str(folder))
    assert "would write 0 months, 0 rows" in capsys.readouterr().out
    for location in ("ftp://x/y", str(tmp_path / "missing" / "lake"), "s3:///prefix"):
        with pytest.raises(CommandError):
            call_command("lake", location, "--do")


def test_runs_that_have_not_ended_are_left_out(owner: User, tmp_path: Path) -> None:
    from apps.runs.tests.factories import create_run

    create_run(owner=owner)
    export(tmp_path)
    with lake(tmp_path) as duck:
        assert duck.execute("SELECT count(*) FROM runs").fetchone() == (0,)
    assert Run.objects.count() == 1
