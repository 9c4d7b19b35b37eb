"""Settings of a queue reach the disks below a directory, or are not taken for lent."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import Loop, until
from apps.remote.agent_tests.processes import running, supervisor

pytestmark = pytest.mark.needs_root


@contextmanager
def mounted(kind: str, place: Path, *nodes: str) -> Iterator[Path]:
    """A new file system on these devices, mounted; without devices one in memory."""
    place.mkdir()
    if nodes:
        force = [] if kind == "ext4" else ["-f"]
        subprocess.run([f"mkfs.{kind}", "-q", *force, *nodes], check=True)
    subprocess.run(["mount", "-t", kind, nodes[0] if nodes else kind, place], check=True)
    try:
        yield place
    finally:
        # Whatever else looks through the machine's mounts may hold it for a moment.
        until(lambda: subprocess.run(["umount", place]).returncode == 0)


def below(place: Path, name: str = "scheduler", value: str = "kyber") -> dict[str, object]:
    """A setting for the disks that carry a directory."""
    return {"kind": "queue", "identity": f"directory:{place}", "name": name, "value": value}


def directory(place: Path) -> dict[str, object]:
    return {"kind": "directory", "path": str(place), "needs": 0, "write": True}


def show(*loops: Loop) -> list[str]:
    return ["cat", *(f"/sys/block/{loop.name}/queue/scheduler" for loop in loops)]


def applied(done: Message) -> set[tuple[str, str, str]]:
    rows = done["exit"]["tuning"]["applied"]
    return {(row["identity"], row["name"], row["value"]) for row in rows}


def in_force(done: Message, loop: Loop, name: str) -> list[str | None]:
    """asked, before, during, after"""
    rows = done["exit"]["tuning"]["effective"]
    row = next(r for r in rows if (r["identity"], r["name"]) == (loop.identity, name))
    return [row[key] for key in ("requested", "before", "value", "after")]


@pytest.fixture
def loop(make_loop: Callable[..., Loop]) -> Loop:
    """Large enough for the room that a test leaves to others."""
    return make_loop("disk", 256)


def test_a_file_system_on_a_disk(client: Client, loop: Loop, tmp_path: Path) -> None:
    before = loop.settings()
    with mounted("ext4", tmp_path / "fs", loop.node) as place:
        tuning = [
            below(place),
            below(place, "nr_requests", "64"),
            below(place, "read_ahead_kb", "512"),
        ]
        done = client.run(show(loop), tuning=tuning, target=directory(place))
        assert b"[kyber]" in client.read(done["attempt"], "stdout")
    assert applied(done) == {
        (loop.identity, "scheduler", "kyber"),
        (loop.identity, "nr_requests", "64"),
        (loop.identity, "read_ahead_kb", "512"),
    }
    assert in_force(done, loop, "scheduler") == ["kyber", "none", "kyber", "none"]
    assert in_force(done, loop, "nr_requests") == [
        "64",
        before["nr_requests"],
        "64",
        before["nr_requests"],
    ]
    assert in_force(done, loop, "rq_affinity") == [None, "1", "1", "1"]
    assert loop.settings() == before


def test_a_partition(client: Client, loop: Loop, tmp_path: Path) -> None:
    subprocess.run(["addpart", loop.node, "1", "2048", "500000"], check=True)
    try:
        with mounted("ext4", tmp_path / "fs", f"{loop.node}p1") as place:
            inside = place / "some" / "folder"
            inside.mkdir(parents=True)
            done = client.run(show(loop), tuning=[below(inside)], target=directory(inside))
            assert b"[kyber]" in client.read(done["attempt"], "stdout")
    finally:
        subprocess.run(["delpart", loop.node, "1"], check=True)
    assert in_force(done, loop, "scheduler") == ["kyber", "none", "kyber", "none"]


@pytest.mark.skipif(not shutil.which("mkfs.btrfs"), reason="needs mkfs.btrfs")
def test_btrfs_on_two_disks(client: Client, make_loop: Callable[..., Loop], tmp_path: Path) -> None:
    loops = [make_loop(name, 256) for name in ("one", "two")]
    with mounted("btrfs", tmp_path / "fs", *(loop.node for loop in loops)) as place:
        done = client.run(show(*loops), tuning=[below(place)], target=directory(place))
        assert client.read(done["attempt"], "stdout").count(b"[kyber]") == 2
        ahead = client.run(
            ["true"], tuning=[below(place, "read_ahead_kb", "512")], target=directory(place)
        )
    assert applied(done) == {(loop.identity, "scheduler", "kyber") for loop in loops}
    assert "btrfs, which reads ahead by a setting of its own" in ahead["refused"]["reasons"][0]


def test_where_no_disk_is_seen_nothing_is_run(client: Client, loop: Loop, tmp_path: Path) -> None:
    with mounted("tmpfs", tmp_path / "fs") as place:
        # Both are asked for, and one cannot be: none is lent.
        tuning = [loop.want("scheduler", "kyber"), below(place)]
        done = client.run(["touch", str(place / "ran")], tuning=tuning, target=directory(place))
        assert done["state"] == "refused"
        assert not (place / "ran").exists()
    assert done["refused"]["reasons"] == [
        f"Tuning: {tmp_path}/fs lies on tmpfs (tmpfs), below which this host shows no disk, so no "
        "setting of a queue reaches it."
    ]
    assert loop.setting("scheduler") == "none"


def test_unavailable_setting_with_allow_untuned_runs_untuned(
    client: Client, loop: Loop, tmp_path: Path
) -> None:
    with mounted("tmpfs", tmp_path / "fs") as place:
        tuning = [loop.want("scheduler", "kyber"), below(place)]
        done = client.run(show(loop), tuning=tuning, target=directory(place), allow_untuned=True)
        assert b"[none]" in client.read(done["attempt"], "stdout")
    report = done["exit"]["tuning"]
    assert report["applied"] == []
    assert "no setting of a queue reaches it" in report["unavailable"][0]


def test_a_value_that_is_not_taken_is_a_refusal_all_the_same(
    client: Client, loop: Loop, tmp_path: Path
) -> None:
    with mounted("ext4", tmp_path / "fs", loop.node) as place:
        tuning = [below(place, "scheduler", "no-such")]
        done = client.run(["true"], tuning=tuning, target=directory(place), allow_untuned=True)
    assert done["state"] == "refused"
    assert loop.setting("scheduler") == "none"


def test_given_back_after_the_supervisor_was_killed(
    client: Client, loop: Loop, gate: Gate, tmp_path: Path
) -> None:
    before = loop.settings()
    with mounted("ext4", tmp_path / "fs", loop.node) as place:
        attempt = client.start(
            gate.argv, tuning=[below(place)], target=directory(place), lease=600.0
        )
        running(client, attempt)
        assert loop.setting("scheduler") == "kyber"
        os.kill(supervisor(client, attempt), signal.SIGKILL)
        gate.open()
        assert client.good("wait", attempt=attempt)["state"] == "lost"
    # The file system is gone: what was lent is known by its disk.
    client.good("restore_settings", attempts=[attempt])
    assert loop.settings() == before
