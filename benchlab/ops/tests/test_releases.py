"""The newest code restores and upgrades the backup of each release that it upgrades from."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from packaging.version import Version

from benchlab.local.paths import PROJECT, Home
from benchlab.ops.backup import backup, restore
from benchlab.ops.tests.databases import empty_database
from benchlab.version import STOPS
from tests.harness.database import migrated

FOLDER = Path(__file__).parent / "releases"
FILES = sorted(FOLDER.glob("*.backup"))
RUNS = "SELECT count(*) FROM runs_run"
UNFINISHED = "SELECT upgrading_to FROM benchlab_version"


def upgraded(file: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Restore a backup into an empty database and migrate it; its runs, and what is not ended."""
    with empty_database() as database:
        monkeypatch.setenv("DATABASE_URL", database)
        assert restore(Home(home).make(), [str(file)]) == 0
        done = subprocess.run(
            [sys.executable, "manage.py", "upgrade"], cwd=PROJECT, capture_output=True, text=True,
            check=False, env=os.environ | {"DATABASE_URL": database},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        with psycopg.connect(database) as connection:
            (runs,) = connection.execute(RUNS).fetchone() or (0,)
            (unfinished,) = connection.execute(UNFINISHED).fetchone() or ("no version",)
    return runs, unfinished


def test_each_release_has_a_backup() -> None:
    """Of releases before the oldest that is upgraded from there is none."""
    text = (PROJECT / "CHANGELOG.md").read_text()
    released = re.findall(r"^## (\d+\.\d+\.\d+) \(", text, re.M)
    wanted = {one for one in released if Version(one) >= Version(STOPS[-1])}
    assert wanted == {file.stem for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_backup_of_a_release_is_upgraded(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, unfinished = upgraded(file, tmp_path, monkeypatch)
    assert runs > 0
    assert unfinished == ""


def test_backup_of_this_code_is_upgraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with empty_database(migrated()) as database, monkeypatch.context() as patch:
        patch.setenv("DATABASE_URL", database)
        backup(Home(tmp_path / "old").make(), [str(tmp_path / "here.backup")])
    assert upgraded(tmp_path / "here.backup", tmp_path / "new", monkeypatch) == (0, "")
