"""A disk that a process has only mapped into its memory, the descriptor closed, is in use."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from apps.remote.agent.disks.blocks import Block
from apps.remote.agent.disks.open_handles import OpenHandles
from apps.remote.agent.files import read_text
from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import Loop, partition_table

pytestmark = pytest.mark.needs_root

WIPE = ["dd", "if=/dev/urandom", "of={target}", "bs=1M", "count=8", "conv=fsync"]
# Python's own mmap keeps a descriptor, so the C library is asked (flags: <bits/mman-linux.h>).
MAP = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
fd = os.open(sys.argv[1], os.O_RDWR)
rights, flags = {"rw": (3, 1), "r": (1, 1), "private": (3, 2)}[sys.argv[2]]
at = libc.mmap(None, ctypes.c_size_t(1 << 20), rights, flags, fd, ctypes.c_int64(0))
assert at not in (None, ctypes.c_void_p(-1).value)
os.close(fd)
if sys.argv[3] == "other thread":
    import threading
    ready = threading.Event()
    threading.Thread(target=lambda: (print("mapped", flush=True), sys.stdin.read())).start()
    libc.syscall(ctypes.c_long({"x86_64": 60}.get(os.uname().machine, 93)), 0)  # exit(2)
print("mapped", flush=True)
sys.stdin.read()
"""


@contextmanager
def mapping(node: str, rights: str = "rw", thread: str = "") -> Iterator[int]:
    """A process that has mapped the node and nothing of it open; its number."""
    argv = [sys.executable, "-c", MAP, node, rights, thread]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == b"mapped\n"
            links = Path(f"/proc/{process.pid}/fd").iterdir()
            assert node not in {str(link.readlink()) for link in links}
            yield process.pid
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("rights", "mode"), [("rw", "writing"), ("r", "reading"), ("private", "reading")]
)
def test_a_mapped_disk_is_refused_and_not_written(
    client: Client, loop: Loop, rights: str, mode: str
) -> None:
    before = loop.digest()
    with mapping(loop.node, rights) as pid:
        done = client.run(WIPE, target=loop.target())
        assert loop.digest() == before
    (reason,) = done["refused"]["reasons"]
    assert reason.startswith(f"Mapped: process {pid} (")
    assert f"has {loop.name} mapped into its memory for {mode}; stop it first." in reason
    assert client.run(WIPE, target=loop.target())["state"] == "done"


def test_a_mapped_partition_is_refused(client: Client, make_loop: Callable[..., Loop]) -> None:
    loop = make_loop(content=partition_table())
    subprocess.run(["addpart", loop.node, "1", "2048", "32768"], capture_output=True)
    try:
        with mapping(f"{loop.node}p1"):
            done = client.run(WIPE, target=loop.target(allow_signatures=True))
    finally:
        subprocess.run(["delpart", loop.node, "1"], check=True)
    assert f"{loop.name}p1 mapped" in done["refused"]["reasons"][0]


def test_a_process_whose_first_thread_ended_is_seen(loop: Loop) -> None:
    """/proc/<pid> itself says nothing of it any more, its other threads do."""
    with mapping(loop.node, thread="other thread") as pid:
        stat = Path(f"/proc/{pid}/stat")
        while stat.read_text().rpartition(")")[2].split()[0] != "Z":
            pass
        (sentence,) = OpenHandles(Block(loop.name)).reasons()
    assert sentence.startswith(f"Mapped: process {pid} (")


def test_a_node_of_another_name_that_is_gone_is_the_same_disk(loop: Loop, tmp_path: Path) -> None:
    other = tmp_path / "node"
    numbers = Path(f"/sys/block/{loop.name}/dev").read_text().strip().split(":")
    subprocess.run(["mknod", str(other), "b", *numbers], check=True)
    with mapping(str(other)) as pid:
        other.unlink()
        (sentence,) = OpenHandles(Block(loop.name)).reasons()
    assert sentence.startswith(f"Mapped: process {pid} (")


def test_mapped_files_are_read_once(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that a thousand processes have mapped costs one look."""
    look = OpenHandles(Block(loop.name))
    look.reasons()
    asked = len(look.cache)
    maps = [read_text(str(path)) or "" for path in Path("/proc").glob("[0-9]*/maps")]
    lines = sum(len(text.splitlines()) for text in maps)
    assert 0 < asked < lines / 4
