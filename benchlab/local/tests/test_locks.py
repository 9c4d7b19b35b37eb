"""A lock has one holder, and a dead holder has none."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from benchlab.local.locks import BusyError, FileLock
from tests.harness.waiting import start_python, until

HOLDER = """
import sys, time
from pathlib import Path
from benchlab.local.locks import FileLock
lock = FileLock(Path(sys.argv[1]), note="the other one").acquire()
time.sleep(600)
"""


def test_a_second_holder_is_told_who_has_it(tmp_path: Path) -> None:
    first = FileLock(tmp_path / "lock", note="the first")
    with first, pytest.raises(BusyError, match="the first") as caught:
        FileLock(tmp_path / "lock").acquire()
    assert caught.value.holder == "the first"


def test_a_released_lock_can_be_taken_again(tmp_path: Path) -> None:
    for _ in range(2):
        with FileLock(tmp_path / "lock"):
            pass


def test_kill_9_of_the_holder_frees_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    holder = start_python(HOLDER, str(path))
    until(lambda: path.exists() and path.read_text() == "the other one")
    with pytest.raises(BusyError):
        FileLock(path).acquire()
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    FileLock(path).acquire(wait=True).release()
