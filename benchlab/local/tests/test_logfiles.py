"""Logs are private and bounded, whoever holds them open."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from benchlab.local.paths import Home
from benchlab.local.processes import Service, Supervisor, open_log, rotate
from tests.harness.waiting import until


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_log_and_its_folder_are_their_owner_s(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.logs.mkdir(parents=True, mode=0o755)
    home.logs.joinpath("web.log").touch(mode=0o644)
    home.make()
    with open_log(home.logs / "web.log") as log:
        log.write(b"x")
    assert (mode(home.logs), mode(home.logs / "web.log")) == (0o700, 0o600)


def test_a_large_log_is_set_aside_while_somebody_writes_to_it(tmp_path: Path) -> None:
    path = tmp_path / "web.log"
    with open_log(path) as log:
        log.write(b"old" * 100)
        log.flush()
        rotate(path, limit=100)
        log.write(b"new")
    older = tmp_path / "web.log.1"
    assert (path.read_bytes(), older.read_bytes()) == (b"new", b"old" * 100)
    assert mode(older) == 0o600


def test_on_a_full_disk_the_older_part_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("shutil.copyfile", full)
    path = tmp_path / "web.log"
    path.write_bytes(b"x" * 200)
    rotate(path, limit=100)
    assert [entry.name for entry in tmp_path.iterdir()] == ["web.log"]
    assert path.stat().st_size == 0


def test_the_supervisor_keeps_the_logs_of_its_children_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchlab.local.processes.LOG_LIMIT", 1000)
    path = tmp_path / "noisy.log"
    script = "i=0; while [ $i -lt 400 ]; do echo $i a line of the log; i=$((i+1)); done; sleep 600"
    with Supervisor(print) as supervisor:
        supervisor.start(Service("noisy", ("sh", "-c", script), path))
        until(lambda: path.exists() and path.stat().st_size > 5000)
        supervisor.step(["sleep", "0.2"], dict(os.environ))
    assert path.stat().st_size <= 1000
    assert (tmp_path / "noisy.log.1").stat().st_size > 5000
