"""A disk with a fixed rate: reads wait behind the writes of a background load, and the comparison
has the ratio of both.

The disk is a loop device with a short queue. What it writes to has a limit in the control group of
the host's sshd, so that the load alone decides how long reads wait.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.lab import add_box, assert_state, cases, ended, enrol, launch
from tests.e2e.stack import JSON, Stack
from tests.harness.fixtures import no_box
from tests.harness.loops import detach, loop_disk, require_loop
from tests.harness.netns_host import NetnsHost

pytestmark = [
    *(pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.extended, pytest.mark.timeout(900)),
]
V1, V2 = Path("/sys/fs/cgroup/blkio"), Path("/sys/fs/cgroup")
WRITE_RATE = 20_000_000  # bytes per second
QUEUE = 4
REPEATS = 6
# An engine without a queue of its own, so that waiting for the disk's queue is part of its latency.
READS = {"rw": "randread", "bs": "4k", "ioengine": "psync", "iodepth": 1, "size": "32M"}
READS |= {"rate_iops": 100, "runtime": 3}
WRITES = {"rw": "write", "bs": "128k", "iodepth": 8, "size": "32M", "runtime": 5}


class Slow(NamedTuple):
    """A running benchlab without a worker, and a disk that writes at a fixed rate."""

    stack: Stack
    disk: JSON


@contextmanager
def slow_disk(folder: Path, box: NetnsHost) -> Iterator[str]:
    """A loop device of random data whose writes are limited for all processes of the box."""
    with ExitStack() as ending:
        inner = ending.enter_context(loop_disk(64, folder))
        Path(inner).write_bytes(os.urandom(64 << 20))
        command = ["losetup", "--find", "--show", "--direct-io=on", inner]
        made = subprocess.run(command, check=True, capture_output=True, text=True, timeout=30)
        outer = require_loop(made.stdout.strip())
        ending.callback(detach, outer)
        queue = Path(f"/sys/block/{Path(outer).name}/queue")
        (queue / "scheduler").write_text("none")
        (queue / "nr_requests").write_text(str(QUEUE))
        group = (V1 if V1.exists() else V2) / f"benchlab-load-{os.getpid()}"
        group.mkdir()
        ending.callback(_remove_group, group)
        _limit(group, inner)
        for pid in box._pids():
            (group / "cgroup.procs").write_text(str(pid))
        yield outer


def _limit(group: Path, device: str) -> None:
    number = Path(f"/sys/block/{Path(device).name}/dev").read_text().strip()
    if group.is_relative_to(V1):
        (group / "blkio.throttle.write_bps_device").write_text(f"{number} {WRITE_RATE}")
    else:
        (group / "io.max").write_text(f"{number} wbps={WRITE_RATE}")


def _remove_group(group: Path) -> None:
    for pid in (group / "cgroup.procs").read_text().split():
        with contextlib.suppress(OSError):  # it has ended since
            (group.parent / "cgroup.procs").write_text(pid)
    group.rmdir()


@pytest.fixture(scope="module")
def slow(stack: Stack, folder: Path) -> Iterator[Slow]:
    if reason := no_box():
        pytest.skip(reason)
    with ExitStack() as ending:
        box = NetnsHost(folder / "slow")
        ending.callback(box.stop)
        box.start()
        node = ending.enter_context(slow_disk(folder, box))
        with stack.worker():
            host = add_box(stack, box, "slow")
            disk = enrol(stack, host["id"], node)
        yield Slow(stack, disk)


def test_random_reads_with_background_writes_are_slower(slow: Slow) -> None:
    load = {"tool": "fio", "params": WRITES, "role": "background", "settle_seconds": 1.0}
    body = {
        "name": "reads beside writes",
        "repeats": REPEATS,
        "steps": [{"tool": "fio", "params": READS}, load],
        "targets": [f"disk:{slow.disk['id']}"],
    }
    stack = slow.stack
    with stack.worker():
        run = ended(stack, launch(stack, stack.post("plans/", body)), 600)
    assert_state(stack, run, "succeeded")
    assert {len(case["attempts"]) for case in cases(stack, run)} == {1}
    factor = "factor=param:background&baseline=no+background+load&metric=latency_p99"
    found = stack.get(f"compare/?run={run['id']}&{factor}")
    if output := os.environ.get("BENCHLAB_EFFECT_OUTPUT"):
        Path(output).write_text(json.dumps([run, found, cases(stack, run)], indent=1))
    (headline,) = found["headline"]
    (summary,) = headline["workloads"]
    assert headline["verdict"] == "worse"
    assert (summary["n"], summary["metric"]) == (REPEATS, "latency_p99"), headline
    # Reads wait for some of the writes in front of them, which take 6.5 ms each.
    assert summary["effect"]["low"] > 2, headline
