"""Directories as targets: checked, kept to a subfolder of benchlab's own, tidied by removing
only that.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.loops import until

WRITE = ["dd", "if=/dev/zero", "of={target}/t.bin", "bs=64k", "count=4"]


def target(path: Path | str, needs: int = 1 << 20, write: bool = True) -> Message:
    """A directory target."""
    return {"kind": "directory", "path": str(path), "needs": needs, "write": write}


def test_files_go_to_a_subfolder_and_tidy_removes_only_that(client: Client, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "precious").write_text("mine")
    done = client.run(WRITE, target=target(scratch))
    assert done["exit"]["codes"] == [0]
    assert done["exit"]["node"] == str(scratch / "benchlab")
    assert (scratch / "benchlab" / "t.bin").stat().st_size == 4 * 65536
    assert client.good("cleanup_directories", directory=str(scratch))["removed"] == 1
    assert [path.name for path in scratch.iterdir()] == ["precious"]
    assert client.good("cleanup_directories", directory=str(scratch))["removed"] == 0


def test_a_folder_that_benchlab_did_not_make_is_neither_used_nor_removed(
    client: Client, tmp_path: Path
) -> None:
    (tmp_path / "benchlab").mkdir()
    (tmp_path / "benchlab" / "theirs").write_text("x")
    done = client.run(WRITE, target=target(tmp_path))
    assert "not benchlab's" in done["refused"]["reasons"][0]
    assert client.good("cleanup_directories", directory=str(tmp_path))["removed"] == 0
    assert (tmp_path / "benchlab" / "theirs").exists()


def test_a_subfolder_that_is_a_link_is_refused(client: Client, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "benchlab").symlink_to(tmp_path / "elsewhere")
    done = client.run(WRITE, target=target(tmp_path))
    assert done["state"] == "refused"
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize(
    ("path", "check"),
    [
        ("relative", "Directory: "),
        ("/", "Directory: "),
        ("/etc/benchmarks", "Directory: "),
        ("/proc/self", "Directory: "),
        ("/no/such/place", "Directory: "),
        ("/tmp/../tmp", "Directory: "),
        ("/tmp/", "Directory: "),
    ],
)
def test_places_that_are_no_scratch_are_refused(client: Client, path: str, check: str) -> None:
    done = client.run(WRITE, target=target(path))
    assert done["refused"]["reasons"][0].startswith(check)


def test_directory_with_link_file_or_too_little_space_is_refused(
    client: Client, tmp_path: Path
) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    (tmp_path / "file").write_text("")
    for name, word in (("link", "symbolic link"), ("file", "no directory")):
        done = client.run(WRITE, target=target(tmp_path / name))
        assert word in done["refused"]["reasons"][0]
    done = client.run(WRITE, target=target(real, needs=1 << 55))
    assert done["refused"]["reasons"][0].startswith("Space: ")
    assert not list(real.iterdir())


def test_tidy_waits_for_nobody_and_disturbs_nobody(client: Client, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    attempt = client.start(["sleep", "30"], target=target(scratch))
    until(lambda: client.good("status", attempt=attempt)["phase"] == "running")
    assert client.ask("cleanup_directories", directory=str(scratch))["error"] == "busy"
    client.good("cancel", attempt=attempt, grace=1)
    client.good("cleanup_directories", directory=str(scratch))
    assert client.ask("cleanup_directories", directory="/etc")["error"] == "refused"
