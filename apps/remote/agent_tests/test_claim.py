"""A disk in use, changed, or not the one that was meant is refused, and not one byte of it is
written.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import Loop, attach, losetup, partition_table, until

pytestmark = pytest.mark.needs_root

WIPE = ["dd", "if=/dev/urandom", "of={target}", "bs=1M", "count=8", "conv=fsync"]
MakeLoop = Callable[..., Loop]
Trouble = Callable[[Loop, Path], contextlib.AbstractContextManager[Any]]


def run(*argv: str) -> None:
    """A helper that must work."""
    subprocess.run(argv, check=True, capture_output=True)


@contextlib.contextmanager
def mounted(loop: Loop, folder: Path) -> Iterator[None]:
    """The whole disk carries a mounted file system."""
    run("mkfs.ext4", "-q", loop.node)
    with mount(loop.node, folder):
        yield


@contextlib.contextmanager
def mount(node: str, folder: Path) -> Iterator[None]:
    """Mounted on a folder of ours."""
    point = folder / "mounted here"
    point.mkdir()
    run("mount", node, str(point))
    try:
        yield
    finally:
        run("umount", str(point))


@contextlib.contextmanager
def partition_mounted(loop: Loop, folder: Path) -> Iterator[None]:
    """Only a partition of it is mounted: fio alone would write."""
    run("mkfs.ext4", "-q", f"{loop.node}p1")
    with mount(f"{loop.node}p1", folder):
        yield


@contextlib.contextmanager
def swap(loop: Loop, _folder: Path) -> Iterator[None]:
    """A partition of it is active swap."""
    run("mkswap", f"{loop.node}p1")
    run("swapon", f"{loop.node}p1")
    try:
        yield
    finally:
        run("swapoff", f"{loop.node}p1")


@contextlib.contextmanager
def opened(loop: Loop, _folder: Path) -> Iterator[None]:
    """Another process has it open, as a virtual machine or a database would."""
    with open(loop.node, "rb+", buffering=0), contextlib.ExitStack():
        yield


@contextlib.contextmanager
def claimed(loop: Loop, _folder: Path) -> Iterator[None]:
    """Somebody else holds it exclusively."""
    fd = os.open(loop.node, os.O_RDWR | os.O_EXCL)
    try:
        yield
    finally:
        os.close(fd)


@contextlib.contextmanager
def read_only(loop: Loop, _folder: Path) -> Iterator[None]:
    """The kernel takes no writes for it."""
    run("blockdev", "--setro", loop.node)
    try:
        yield
    finally:
        run("blockdev", "--setrw", loop.node)  # the flag would outlive the loop device's file


@contextlib.contextmanager
def ext4(loop: Loop, _folder: Path) -> Iterator[None]:
    """An idle file system: data that somebody may still want."""
    run("mkfs.ext4", "-q", loop.node)
    yield


TROUBLES: dict[str, tuple[Trouble, str, bool]] = {
    "mounted": (mounted, "Mounts: ", False),
    "partition mounted": (partition_mounted, "Mounts: ", True),
    "swap": (swap, "Swap: ", True),
    "open elsewhere": (opened, "Open: ", False),
    "claimed": (claimed, "Claim: ", False),
    "read-only": (read_only, "Read-only: ", False),
    "ext4": (ext4, "Signatures: ", False),
}


SWAP_HEADER_END = 2048 * 512 + 4096


@pytest.mark.parametrize("case", TROUBLES)
def test_a_disk_in_use_is_refused(
    client: Client, make_loop: MakeLoop, tmp_path: Path, case: str
) -> None:
    trouble, check, partitioned = TROUBLES[case]
    loop = make_loop(content=partition_table() if partitioned else b"")
    if partitioned:
        subprocess.run(["addpart", loop.node, "1", "2048", "32768"], capture_output=True)
    with trouble(loop, tmp_path):
        # Behind the header of a swap area the kernel may write memory of this machine.
        size = SWAP_HEADER_END if case == "swap" else None
        before = loop.digest(size)
        allowed = case not in ("ext4",)
        done = client.run(WIPE, target=loop.target(allow_signatures=allowed))
        assert loop.digest(size) == before
    if partitioned:
        run("delpart", loop.node, "1")
    assert done["state"] == "refused"
    reasons = done["refused"]["reasons"]
    assert any(reason.startswith(check) for reason in reasons), reasons
    assert all(reason.endswith(".") for reason in reasons)
    assert done["argv"] is None


def change_size(loop: Loop) -> dict[str, object]:
    return loop.target(size=1 << 20)


def other_host(loop: Loop) -> dict[str, object]:
    return loop.target(identity=f"loop:{'0' * 32}:{loop.file}")


def other_file(loop: Loop) -> dict[str, object]:
    return loop.target(identity=loop.identity + "x")


def nameless(loop: Loop) -> dict[str, object]:
    return loop.target(identity=f"none:{'0' * 32}:{loop.name}")


def by_node(loop: Loop) -> dict[str, object]:
    return loop.target(identity=loop.node)


MISTAKES = {
    "size": (change_size, "Size: "),
    "another host": (other_host, "Identity: "),
    "another file": (other_file, "Identity: "),
    "nameless": (nameless, "Identity: "),
    "a node instead": (by_node, "Identity: "),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_what_is_not_the_disk_that_was_meant_is_refused(
    client: Client, loop: Loop, case: str
) -> None:
    change, check = MISTAKES[case]
    before = loop.digest()
    done = client.run(WIPE, target=change(loop))
    assert done["state"] == "refused"
    assert done["refused"]["reasons"][0].startswith(check)
    assert loop.digest() == before


SIGNATURES = {
    "LVM": (512, b"LABELONE"),
    "LUKS": (0, b"LUKS\xba\xbe"),
    "Linux RAID": (4096, b"\xfc\x4e\x2b\xa9"),
    "xfs": (0, b"XFSB"),
    "btrfs": (0x10040, b"_BHRfS_M"),
    "GPT": (512, b"EFI PART"),
    "swap": (4086, b"SWAPSPACE2"),
    "Ceph BlueStore": (0, b"bluestore block device"),
    "ZFS": ((128 << 10) + (4 << 10), (0x00BAB10C).to_bytes(8, "little")),
    "DOS partition table or boot sector": (510, b"\x55\xaa"),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_every_known_signature_is_seen(client: Client, make_loop: MakeLoop, name: str) -> None:
    offset, mark = SIGNATURES[name]
    loop = make_loop(content=bytes(offset) + mark)
    before = loop.digest()
    done = client.run(WIPE, target=loop.target())
    assert name in done["refused"]["reasons"][0]
    assert "confirm the wipe" in done["refused"]["reasons"][0]
    assert loop.digest() == before


def test_an_allowed_signature_is_overwritten(client: Client, loop: Loop) -> None:
    run("mkfs.ext4", "-q", loop.node)
    before = loop.digest()
    done = client.run(WIPE, target=loop.target(allow_signatures=True))
    assert done["state"] == "done", done["refused"]
    assert loop.digest() != before


def test_the_hosts_own_disk_is_never_claimed(client: Client) -> None:
    disks = client.good("facts")["facts"]["disks"]
    own = [disk for disk in disks if disk["system"]]
    if not own:
        pytest.skip("this host's root is on no block device")
    # Read before and after is not possible on a living disk; `inspect` runs the same checks.
    answer = client.good("inspect", identity=own[0]["identity"], write=True)
    assert any(reason.startswith("System: ") for reason in answer["refusals"])


def test_the_node_is_found_by_identity_after_the_names_were_swapped(
    client: Client, make_loop: MakeLoop
) -> None:
    """vdb becomes vdc after a restart: what was meant is written, what has its old name is not."""
    meant, other = make_loop("meant"), make_loop("other")
    target, old_node, untouched = meant.target(), meant.node, other.digest()
    meant.detach()
    other.detach()
    again = [attach_at(other, old_node), attach_at(meant, other.node)]
    try:
        done = client.run(WIPE, target=target)
        assert done["exit"]["node"] != old_node
        assert done["exit"]["identity_after"] == target["identity"]
        assert other.digest() == untouched
        assert meant.digest() != untouched
    finally:
        for loop in again:
            loop.detach()


def attach_at(loop: Loop, node: str) -> Loop:
    """The same file under another node."""
    run("losetup", node, str(loop.file))
    return Loop(loop.file, node)


def test_two_disks_of_one_identity_are_refused(client: Client, loop: Loop) -> None:
    twin = Loop(loop.file, losetup(loop.file))
    try:
        done = client.run(WIPE, target=loop.target())
        assert "all answer to" in done["refused"]["reasons"][0]
    finally:
        run("losetup", "-d", twin.node)


def test_while_a_job_runs_nobody_else_can_take_the_disk(
    client: Client, loop: Loop, tmp_path: Path
) -> None:
    attempt = client.start(["sleep", "30"], target=loop.target())
    until(lambda: client.good("status", attempt=attempt)["phase"] == "running")
    (tmp_path / "m").mkdir()
    assert subprocess.run(["mkfs.ext4", "-q", "-F", loop.node], capture_output=True).returncode
    assert subprocess.run(["wipefs", "-a", loop.node], capture_output=True).returncode
    second = client.run(WIPE, target=loop.target())
    assert second["refused"]["reasons"][0].startswith("Claim: ")
    client.good("cancel", attempt=attempt, grace=1)
    assert client.run(WIPE, target=loop.target())["state"] == "done"


def test_the_claim_lives_as_long_as_the_last_writer(client: Client, loop: Loop) -> None:
    """The supervisor alone killed: the tool still holds the disk by the descriptor it inherited."""
    attempt = client.start(["sleep", "30"], target=loop.target())
    until(lambda: client.good("status", attempt=attempt)["phase"] == "running")
    os.kill(int((client.base / "jobs" / attempt / "supervisor").read_text()), 9)
    with pytest.raises(OSError, match="busy"):
        os.open(loop.node, os.O_RDWR | os.O_EXCL)
    assert client.good("cancel", attempt=attempt, grace=0.2)["survivors"] == []
    os.close(os.open(loop.node, os.O_RDWR | os.O_EXCL))


def test_a_disk_is_free_as_soon_as_its_job_has_ended(client: Client, loop: Loop) -> None:
    """Also when the kernel has much to write before it lets go of the disk."""
    write = ["dd", "if=/dev/urandom", "of={target}", "bs=1M", "count=16", "conv=notrunc"]
    for _ in range(8):
        assert client.run(write, target=loop.target())["exit"]["codes"] == [0]
        os.close(os.open(loop.node, os.O_RDWR | os.O_EXCL))


def test_reading_asks_for_no_claim_and_changes_nothing(client: Client, loop: Loop) -> None:
    run("mkfs.ext4", "-q", loop.node)
    before = loop.digest()
    with open(loop.node, "rb"):
        reading = ["dd", "if={target}", "of=/dev/null", "bs=1M"]
        done = client.run(reading, target=loop.target(write=False))
    assert done["exit"]["codes"] == [0]
    assert done["argv"] == [["dd", f"if={loop.node}", "of=/dev/null", "bs=1M"]]
    assert loop.digest() == before


def test_the_wrong_size_is_refused_for_reading_too(client: Client, loop: Loop) -> None:
    done = client.run(["true"], target=loop.target(write=False, size=4096))
    assert done["refused"]["reasons"][0].startswith("Size: ")


def test_inspect_says_what_a_claim_would(client: Client, loop: Loop) -> None:
    answer = client.good("inspect", identity=loop.identity, write=True)
    assert (answer["node"], answer["size"]) == (loop.node, 32 << 20)
    assert (answer["refusals"], answer["signatures"]) == ([], [])
    run("mkfs.ext4", "-q", loop.node)
    with open(loop.node, "rb"):
        answer = client.good("inspect", identity=loop.identity, write=True)
    assert answer["refusals"][0].startswith("Open: ")
    assert "ext4" in answer["signatures"]
    gone = client.good("inspect", identity=loop.identity + "-gone", write=True)
    assert gone["node"] is None
    assert gone["refusals"][0].startswith("Identity: ")


def test_fio_runs_on_a_claimed_disk(client: Client, loop: Loop) -> None:
    argv = ["fio", "--name=t", "--filename={target}", "--rw=write", "--bs=64k", "--size=8M"]
    argv += ["--direct=1", "--output-format=json", "--output=result.json"]
    done = client.run(argv, target=loop.target())
    assert done["exit"]["codes"] == [0], client.read(done["attempt"], "stderr")
    assert "result.json" in {entry["name"] for entry in done["files"]}


def test_attach_is_only_over_our_own_files(tmp_path: Path) -> None:
    loop = attach(tmp_path / "mine.img", 1)
    try:
        assert loop.file.parent == tmp_path
    finally:
        loop.detach()
    assert not Path(f"/sys/block/{loop.name}/loop/backing_file").exists()
