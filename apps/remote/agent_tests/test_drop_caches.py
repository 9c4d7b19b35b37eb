"""The page cache is dropped, and that it was is looked at."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apps.remote.agent.builtin_commands import page_cache
from apps.remote.agent.disks import residency
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.loops import Loop
from apps.remote.agent_tests.test_directory import target as directory

MIB = 1 << 20
DROP = ["@drop-caches"]


@pytest.fixture(autouse=True)
def _can_drop(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("needs_root") and not os.access(
        page_cache.DROP_CACHES_FILE, os.W_OK
    ):
        pytest.skip("the page cache cannot be dropped here: /proc/sys is read-only")


@pytest.fixture
def memory_folder(tmp_path: Path) -> Iterator[Path]:
    """A directory on a memory file system, whose pages nothing drops."""
    place = tmp_path / "memory"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "memory", str(place)], check=True)
    yield place
    subprocess.run(["umount", str(place)], check=True)


def in_cache(path: Path) -> int:
    """Bytes of a file in the page cache."""
    fd = os.open(path, os.O_RDONLY)
    try:
        return residency.cached_bytes(fd, os.fstat(fd).st_size)[0]
    finally:
        os.close(fd)


def report_of(client: Client, done: Message) -> Message:
    """The figures of the job's last line."""
    figures: Message = json.loads(client.read(done["attempt"], "stdout").splitlines()[-1])[
        "drop_caches"
    ]
    return figures


@pytest.mark.needs_root
def test_files_are_out_of_the_cache_afterwards(client: Client, tmp_path: Path) -> None:
    write = ["dd", "if=/dev/urandom", "of={target}/t.bin", "bs=1M", "count=8"]
    read = ["cat", "{target}/t.bin"]
    first = client.run(write, target=directory(tmp_path))
    path = tmp_path / "benchlab" / "t.bin"
    assert first["exit"]["codes"] == [0]
    assert in_cache(path) == 8 * MIB
    done = client.run(
        ["sh", "-c", 'cat "$0" > /dev/null', *read[1:]], DROP, target=directory(tmp_path)
    )
    assert done["exit"]["codes"] == [0, 0]
    figures = report_of(client, done)
    assert (figures["resident"], figures["checked"], figures["size"]) == (0, 8 * MIB, 8 * MIB)
    assert min(figures["before"], figures["after"]) > 0
    assert in_cache(path) == 0


@pytest.mark.needs_root
def test_a_disks_pages_are_out_of_the_cache_afterwards(
    client: Client, make_loop: Callable[..., Loop]
) -> None:
    loops = [make_loop("a"), make_loop("b")]
    read = ["dd", "if={target1}", "of=/dev/null", "bs=1M", "count=32"]
    done = client.run(read, DROP, targets=[loop.target() for loop in loops])
    assert done["exit"]["codes"] == [0, 0]
    figures = report_of(client, done)
    assert figures["checked"] == figures["size"] == 64 * MIB
    assert figures["resident"] <= len(loops) * MIB  # what udev may read again of each


@pytest.mark.needs_root
def test_what_stays_in_memory_is_an_error_with_a_sentence(
    client: Client, memory_folder: Path
) -> None:
    write = ["dd", "if=/dev/zero", "of={target}/t.bin", "bs=1M", "count=2"]
    done = client.run(write, DROP, ["echo", "not run"], target=directory(memory_folder))
    assert done["exit"]["codes"] == [0, 1]
    text = client.read(done["attempt"], "stderr").decode()
    assert (
        f"{2 * MIB} of {2 * MIB} bytes looked at of {memory_folder}/benchlab are still in it"
        in text
    )


@pytest.mark.needs_root
def test_without_a_target_there_is_nothing_to_verify(client: Client) -> None:
    figures = report_of(client, client.run(DROP))
    assert (figures["resident"], figures["checked"]) == (0, 0)


@pytest.mark.needs_root
def test_where_it_is_not_allowed_it_says_so(base: Path, tmp_path: Path) -> None:
    """A container shows /proc/sys read-only: here in a mount namespace of the agent's own."""
    python = tmp_path / "confined-python"
    shut = "mount -o bind,ro /proc/sys /proc/sys"
    python.write_text(f'#!/bin/sh\nexec unshare -m sh -c \'{shut} && exec python3 "$@"\' sh "$@"\n')
    python.chmod(0o755)
    with Client(base, python=str(python)) as client:
        done = client.run(DROP)
        assert done["exit"]["codes"] == [1]
        text = client.read(done["attempt"], "stderr").decode()
    assert text.startswith("The page cache was not dropped (")
    assert text.endswith("it takes root, and a /proc/sys that can be written.\n")


def test_only_what_was_read_counts(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(MIB + 1))
    assert in_cache(path) == MIB + residency.PAGE
    path.write_bytes(b"")
    assert in_cache(path) == 0


def test_a_large_disk_is_looked_at_in_places() -> None:
    assert residency.checked_ranges(3 * residency.PIECE + 5)[-1] == (3 * residency.PIECE, 5)
    size = 10 << 40
    parts = residency.checked_ranges(size)
    assert sum(length for _, length in parts) == residency.MAX_CHECKED_BYTES
    assert (parts[0][0], sum(parts[-1])) == (0, size)
    assert all(begin % residency.PAGE == 0 for begin, _ in parts)


def test_a_command_nobody_knows_is_not_started(client: Client) -> None:
    spec = {"attempt": "a", "commands": [{"argv": ["@format-everything"]}]}
    assert client.ask("launch", spec=spec)["error"] == "bad-request"
