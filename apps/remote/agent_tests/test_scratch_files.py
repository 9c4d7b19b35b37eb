"""A scratch file system is made on a disk under test, mounted for the job alone, and taken away
after it, also behind a job that was killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import Loop, until
from apps.remote.agent_tests.processes import named, running, supervisor

pytestmark = pytest.mark.needs_root

MADE = {
    "ext4": {
        "fs_block_size": "1024",
        "fs_inode_size": "512",
        "fs_journal": "no",
        "fs_stripe_unit": "64",
        "fs_stripe_disks": "3",
    },
    "xfs": {
        "fs_block_size": "2048",
        "fs_inode_size": "1024",
        "fs_allocation_groups": "6",
        "fs_stripe_unit": "64",
        "fs_stripe_disks": "2",
    },
    "btrfs": {"fs_node_size": "32768", "fs_checksum": "xxhash"},
}
MOUNTED = {
    "ext4": "noatime,nodelalloc,commit=5,dioread_lock,barrier",
    "xfs": "strictatime,largeio,logbsize=64k,nodiscard",
    "btrfs": "compress=zstd,nodiscard,commit=30,nodatasum",
}


@pytest.fixture
def disk(make_loop: Callable[..., Loop]) -> Loop:
    """A sparse disk on which each of the file systems has room."""
    return make_loop("files", 1024)


def filesystem_settings(loop: Loop, kind: str, **more: str) -> list[Message]:
    """The settings of a file system on a disk."""
    values = {"filesystem": kind, **more}
    return [
        {"kind": "filesystem", "identity": loop.identity, "name": name, "value": value}
        for name, value in values.items()
    ]


def signature(loop: Loop) -> str:
    """The type that blkid sees on a disk, "" for none."""
    argv = ["blkid", "-p", "-o", "value", "-s", "TYPE", f"/dev/{loop.name}"]
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout.strip()


def mounts(pid: str = "self") -> str:
    """Mounts as a process sees them."""
    return Path(f"/proc/{pid}/mountinfo").read_text()


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs"])
def test_made_mounted_read_back_and_taken_away(client: Client, disk: Loop, kind: str) -> None:
    tuning = filesystem_settings(disk, kind, **MADE[kind], mount_options=MOUNTED[kind])
    write = ["dd", "if=/dev/zero", "of={target}/file", "bs=64k", "count=16", "conv=fsync"]
    look = ["grep", disk.name, "/proc/self/mountinfo"]
    done = client.run(write, look, tuning=tuning, target=disk.target())
    assert done["state"] == "done", done["refused"]["reasons"]
    assert done["exit"]["codes"] == [0, 0], client.read(done["attempt"], "stderr")
    report = done["exit"]["tuning"]
    force = {row["name"]: row for row in report["effective"] if row["kind"] == "filesystem"}
    for name, value in {"filesystem": kind, **MADE[kind], "mount_options": MOUNTED[kind]}.items():
        row = force[name]
        assert (row["before"], row["requested"], row["value"], row["after"]) == (
            "none",
            value,
            value,
            "none",
        )
    shown = force["mounted"]
    assert (shown["before"], shown["requested"], shown["after"]) == ("no", None, "no")
    assert shown["value"].startswith("rw, nosuid, nodev, ")
    assert done["exit"]["node"] == f"/dev/{disk.name}"
    assert f" {kind} " in client.read(done["attempt"], "stdout").decode()
    assert (report["changed"], report["conflicts"], report["failed"]) == ([], [], [])
    assert (done["journal"]["state"], signature(disk)) == ("closed", "")
    assert disk.name not in mounts()


def test_the_next_job_finds_the_disk_as_the_last_one_left_it(client: Client, disk: Loop) -> None:
    """No signature, and the fingerprint that was told: so nobody has to confirm anything."""
    first = client.run(["true"], tuning=filesystem_settings(disk, "ext4"), target=disk.target())
    (left,) = first["exit"]["fingerprints"]
    assert left["written"]
    again = client.run(
        ["true"], tuning=filesystem_settings(disk, "xfs"), target=disk.target(fingerprint=left)
    )
    assert again["state"] == "done", again["refused"]


@pytest.mark.parametrize("lease", [600.0, 1.0])
def test_after_a_kill_it_is_unmounted_and_taken_away(
    client: Client, disk: Loop, gate: Gate, lease: float
) -> None:
    """By `recover` (contact is there), and by the keeper alone."""
    tuning = filesystem_settings(disk, "ext4", mount_options="noatime")
    attempt = client.start(list(gate.argv), tuning=tuning, target=disk.target(), lease=lease)
    running(client, attempt)
    boss = supervisor(client, attempt)
    assert disk.name in mounts(str(boss))
    assert disk.name not in mounts()
    os.kill(boss, signal.SIGKILL)
    assert client.good("restore_settings", attempts=[attempt])["busy"] == [attempt]
    assert signature(disk) == "ext4"  # never in the middle of a measurement
    if lease == 1.0:
        client.close()
        gate.open()
        until(lambda: signature(disk) == "")
        until(lambda: not named(attempt))
        return
    gate.open()
    assert client.good("wait", attempt=attempt)["state"] == "lost"
    answer = client.good("restore_settings", attempts=[attempt])
    assert (answer["conflicts"], answer["failed"], answer["open"]) == ([], [], [])
    assert signature(disk) == ""
    client.good("delete_job", attempt=attempt)


def test_a_file_system_of_somebody_else_is_neither_made_over_nor_taken_away(
    client: Client, disk: Loop, gate: Gate
) -> None:
    node = f"/dev/{disk.name}"
    subprocess.run(["mkfs.xfs", "-q", "-f", node], check=True, capture_output=True)
    done = client.run(["true"], tuning=filesystem_settings(disk, "ext4"), target=disk.target())
    assert done["state"] == "refused"
    assert "xfs" in done["refused"]["reasons"][0]
    assert signature(disk) == "xfs"
    subprocess.run(["wipefs", "-a", node], check=True, capture_output=True)
    attempt = client.start(
        list(gate.argv), tuning=filesystem_settings(disk, "ext4"), target=disk.target()
    )
    running(client, attempt)
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    gate.open()
    client.good("wait", attempt=attempt)
    until(lambda: subprocess.run(["mkfs.xfs", "-q", "-f", node], check=False).returncode == 0)
    client.good("restore_settings", attempts=[attempt])
    assert signature(disk) == "xfs"


@pytest.mark.parametrize(
    ("kind", "more", "reason"),
    [
        ("ext4", {"fs_node_size": "4096"}, "fs_node_size"),
        ("xfs", {"fs_block_size": "8192"}, "fs_block_size"),
        ("btrfs", {"mount_options": "noatime,device=/dev/sda"}, "device=/dev/sda"),
        ("ext4", {"mount_options": "usrjquota=x"}, "usrjquota=x"),
        ("vfat", {}, "vfat"),
    ],
)
def test_what_is_not_on_the_list_is_refused_before_anything_is_written(
    client: Client, disk: Loop, kind: str, more: dict[str, str], reason: str
) -> None:
    done = client.run(
        ["true"], tuning=filesystem_settings(disk, kind, **more), target=disk.target()
    )
    assert done["state"] == "refused"
    assert reason in done["refused"]["reasons"][0]
    assert "fingerprints" not in done["refused"]
    assert signature(disk) == ""


def test_only_on_a_disk_that_the_job_claims_for_writing(client: Client, disk: Loop) -> None:
    commands = [{"role": "main", "argv": ["true"]}]
    spec = {
        "attempt": "0b4e3c54-54b8-4a86-9c8b-0d1f4d3a3c11",
        "commands": commands,
        "tuning": filesystem_settings(disk, "ext4"),
    }
    for target in (None, disk.target(write=False)):
        answer = client.ask("launch", spec={**spec, "target": target})
        assert answer["error"] == "bad-request"
    answer = client.ask("launch", spec={**spec, "target": disk.target(), "allow_untuned": True})
    assert answer["error"] == "bad-request"


def test_file_system_with_too_little_space_or_failed_mount_is_removed(
    client: Client, disk: Loop
) -> None:
    target = {**disk.target(), "needs": 1 << 40}
    done = client.run(["true"], tuning=filesystem_settings(disk, "ext4"), target=target)
    assert done["state"] == "refused"
    assert "Space" in done["refused"]["reasons"][0]
    (left,) = done["refused"]["fingerprints"]
    # ext4 takes no journal's mode without a journal.
    wrong = filesystem_settings(disk, "ext4", fs_journal="no", mount_options="data=journal")
    done = client.run(["true"], tuning=wrong, target=disk.target(fingerprint=left))
    assert done["state"] == "refused"
    assert "Invalid argument" in done["refused"]["reasons"][0]
    assert (done["journal"]["state"], signature(disk)) == ("closed", "")
