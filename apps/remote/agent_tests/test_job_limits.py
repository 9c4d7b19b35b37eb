"""Deadline, size limit and a full file system: each ends in a clear state, none in silence."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client


def test_after_the_deadline_the_tree_is_ended(client: Client) -> None:
    begin = time.monotonic()
    done = client.run(["sh", "-c", "sleep 60 & sleep 61"], ["echo", "never"], deadline=0.6)
    assert time.monotonic() - begin >= 0.6
    assert (done["state"], done["exit"]["timed_out"]) == ("done", True)
    assert not done["exit"]["cancelled"]
    assert done["exit"]["signals"] == ["SIGTERM"]


def test_deadline_with_background_process_ends_it(client: Client) -> None:
    done = client.run(["sh", "-c", "sleep 60 & exit 0"], deadline=0.6)
    assert (done["exit"]["codes"], done["exit"]["timed_out"]) == ([0], True)


def test_above_the_limit_the_tree_is_ended(client: Client) -> None:
    done = client.run(
        ["sh", "-c", "cat /dev/zero | head -c 20000000 > big; sleep 60"], limit=2 << 20
    )
    assert done["exit"]["over_limit"] is True
    assert not done["exit"]["timed_out"]


def test_below_the_limit_nothing_happens(client: Client) -> None:
    done = client.run(["sh", "-c", "head -c 500000 /dev/zero; sleep 0.8"], limit=2 << 20)
    assert (done["exit"]["codes"], done["exit"]["over_limit"]) == ([0], False)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MiB."""
    point = tmp_path / "small"
    point.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(point)], check=True)
    yield point
    subprocess.run(["umount", "-l", str(point)], check=True)


@pytest.mark.needs_root
def test_a_full_file_system_still_gets_its_exit_file(small: Path) -> None:
    with Client(small) as client:
        done = client.run(["dd", "if=/dev/zero", "of=fill", "bs=64k"])
        assert done["state"] == "done"
        assert done["exit"]["codes"] == [1]
        assert (small / "jobs" / done["attempt"] / "exit.json").stat().st_size > 100


def fill(path: Path) -> None:
    """Take the last byte of a file system."""
    done = subprocess.run(["dd", "if=/dev/zero", f"of={path}", "bs=4k"], capture_output=True)
    assert done.returncode == 1


@pytest.mark.needs_root
def test_launch_on_full_file_system_fails_without_traces(small: Path) -> None:
    with Client(small) as client:
        fill(small / "fill")
        spec = {"attempt": "a-1", "commands": [{"role": "main", "argv": ["true"]}]}
        answer = client.ask("launch", spec=spec)
        assert answer["ok"] is False
        assert "space" in answer["message"]
        assert not list((small / "jobs").iterdir())
        (small / "fill").unlink()
        assert client.good("launch", spec=spec)["launched"]
        assert client.good("wait", attempt="a-1")["state"] == "done"
