"""Eight new drives: one corrupts what it is given, one is slow. Both are named, six accepted."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import checked, until
from tests.e2e.stack import JSON, Stack
from tests.harness.loops import loop_disk
from tests.harness.netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.extended]

BLKIO = Path("/sys/fs/cgroup/blkio")
ADVANCE = "from apps.acceptance.services.advance import acceptances_advance as a; a()"
SIZE_MB = 32
SLOW_RATE = 24 << 20
# No sampled block of a fingerprint begins here.
DAMAGED_OFFSET = (SIZE_MB << 20) // 3 // 4096 * 4096 + 8192


def test_six_of_eight_are_accepted_and_the_other_two_named(lab: Lab, tmp_path: Path) -> None:
    if not (BLKIO / "blkio.throttle.write_bps_device").exists():
        pytest.skip("this kernel offers no blkio controller of cgroup v1")
    with ExitStack() as ending:
        nodes = [ending.enter_context(loop_disk(SIZE_MB, tmp_path)) for _number in range(8)]
        corrupt, slow = nodes[6], nodes[2]
        ending.enter_context(throttled(lab.box, slow, corrupt))
        ending.enter_context(damaging(backing_file(corrupt)))
        with lab.stack.worker():
            disks = enrolled(lab, nodes)
            made = lab.stack.post(
                "acceptances/",
                {
                    "name": "Delivery",
                    "disks": disks,
                    "profile": {"repeats": 1, "seconds": 1, "outlier_percent": 60},
                },
            )
            row = finished(lab.stack, made)
    names = {node: node.removeprefix("/dev/") for node in nodes}
    others = [one for one in row["disks"] if one["verdict"] != "accepted"]
    report = {one["label"]: (one["verdict"], one["reason"]) for one in others}
    assert report == {
        f"box {names[slow]}": ("rejected", "slow"),
        f"box {names[corrupt]}": ("rejected", "verify failed"),
    }, row
    assert row["summary"].startswith("6 of 8 accepted; 2: ")
    lot = lab.stack.download(f"acceptances/{row['id']}/lot/").decode()
    assert len(lot.splitlines()) == 9


def enrolled(lab: Lab, nodes: list[str]) -> list[int]:
    """Enrol the disks of these nodes; their ids."""
    checked(lab.stack, lab.host["id"])
    rows = {row["device_path"]: row for row in lab.stack.rows(f"disks/?host={lab.host['id']}")}
    for node in nodes:
        disk = rows[node]
        lab.stack.post(f"disks/{disk['id']}/enrol/", {"confirm": disk["identity"]})
    return [rows[node]["id"] for node in nodes]


def finished(stack: Stack, made: JSON) -> JSON:
    """Return the acceptance at its end; the shell stands for the clock's task."""
    path = f"acceptances/{made['id']}/"
    for _stage in range(2):
        current = stack.get(path)
        run = current["measure_run"] or current["fill_run"]
        until(
            lambda run=run: stack.get(f"runs/{run}/"),  # type: ignore[misc] # bound at once
            lambda one: one["state"] in ("succeeded", "failed", "cancelled", "lost"),
            360,
            "run ended",
        )
        stack.manage("shell", "-c", ADVANCE)
    row: JSON = stack.get(path)
    assert row["state"] == "ended", (row, stack.log("worker"))
    return row


@contextmanager
def throttled(box: NetnsHost, *nodes: str) -> Iterator[None]:
    """Slow loop devices for everything that the box starts from now on.

    Also the one that is damaged: else it is read back before the damage is done.
    """
    group = BLKIO / f"benchlab-test-{os.getpid()}"
    group.mkdir()
    try:
        for device in (os.stat(node).st_rdev for node in nodes):
            name = f"{os.major(device)}:{os.minor(device)}"
            for limit in ("read_bps_device", "write_bps_device"):
                (group / f"blkio.throttle.{limit}").write_text(f"{name} {SLOW_RATE}\n")
        (group / "cgroup.procs").write_text(str(box.init))
        yield
    finally:
        while pids := (group / "cgroup.procs").read_text().split():
            for pid in pids:
                # A process may end meanwhile.
                with suppress(ProcessLookupError):
                    (BLKIO / "cgroup.procs").write_text(pid)
        group.rmdir()


@contextmanager
def damaging(file: Path) -> Iterator[None]:
    """Write other bytes below a loop device all the time, as a drive that loses a block."""
    stop = threading.Event()

    def damage() -> None:
        with file.open("r+b", buffering=0) as image:
            while not stop.wait(0.002):
                os.pwrite(image.fileno(), os.urandom(4096), DAMAGED_OFFSET)

    thread = threading.Thread(target=damage)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def backing_file(node: str) -> Path:
    """Return the file of a loop device."""
    words = ["losetup", "--noheadings", "--output", "BACK-FILE", node]
    done = subprocess.run(words, check=True, capture_output=True, text=True, timeout=30)
    return Path(done.stdout.strip())
