"""Tests of fio, iperf, rados and iozone, each beside a load of each of them, on two hosts."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.lab import READ, add_box, assert_state, cases, checked, ended, enrol, launch, until
from tests.e2e.stack import JSON, Stack
from tests.harness.ceph import Cluster
from tests.harness.ceph_fixtures import client_boxes
from tests.harness.fixtures import no_box
from tests.harness.loops import loop_disk
from tests.harness.net import join
from tests.harness.netns_host import NetnsHost

pytestmark = [
    *(pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.extended),
    *(pytest.mark.xdist_group("ceph"), pytest.mark.timeout(900)),
    *(
        pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed here")
        for program in ("iperf3", "iozone")
    ),
]
POOL = "beside"
OBJECTS = 64
TESTS: dict[str, JSON] = {
    "fio": READ,
    "iperf": {"program": "iperf3", "seconds": 2, "rate": 20},
    "rados": {"operations": "write", "bs": "16k", "threads": 2, "seconds": 2},
    "iozone": {"operation": "read", "file_size": "32M", "record_size": "64k"},
}
LOADS: dict[str, JSON] = {
    "fio": {"rw": "write", "bs": "64k", "size": "16M", "runtime": 5, "rate_iops": 20},
    "iperf": {"program": "iperf3", "seconds": 2, "rate": 10, "port": 5202},
    "rados": {"operations": "write", "bs": "4k", "threads": 1, "seconds": 2},
    "iozone": {"operation": "write", "file_size": "8M", "record_size": "64k"},
}
OPERATIONS = {
    "fio": {"write"},
    "iperf": {"send"},
    "rados": {"write"},
    "iozone": {"write", "rewrite"},
}
PROGRAM = {"fio": "fio", "iperf": "iperf3", "rados": "rados", "iozone": "iozone"}
_number = count(1)


class Tools(NamedTuple):
    """A running benchlab without a worker, and targets of every tool on two hosts.

    `tested`, `loaded`: by the tool's name.
    """

    stack: Stack
    boxes: list[NetnsHost]
    cluster: Cluster
    tested: dict[str, str]
    loaded: dict[str, str]


@pytest.fixture(scope="module")
def tools(stack: Stack, folder: Path, ceph_cluster: Cluster) -> Iterator[Tools]:
    """The monotonic clock of the second host is three hours ahead of the first one's.

    Directories and the loaded disk are the second host's.
    """
    if reason := no_box():
        pytest.skip(reason)
    with ExitStack() as ending:
        nodes = [ending.enter_context(loop_disk(64, folder)) for _ in range(2)]
        scratch = ending.enter_context(loop_disk(192, folder))
        subprocess.run(["mkfs.ext4", "-q", scratch], check=True)
        clocks = {"tools-one": 0, "tools-two": 10_000}
        boxes = client_boxes(ending, folder, ceph_cluster, clocks)
        with stack.worker():
            ids = [add_box(stack, *row)["id"] for row in zip(boxes, clocks, strict=True)]
            address = join(boxes[0].network, boxes[1].network)[1]
            stack.api("PATCH", f"hosts/{ids[1]}/", {"network_test_address": address})
            checked(stack, ids[1])
            disks = [enrol(stack, *row)["id"] for row in zip(ids, nodes, strict=True)]
        directories = _directories(stack, boxes[1], ids[1], scratch, folder)
        ceph_cluster.ceph("osd", "pool", "create", POOL, "8")
        ceph_cluster.ceph("osd", "pool", "application", "enable", POOL, "rbd")
        pool = stack.post("pools/", {"name": POOL, "host": ids[0], "is_ephemeral": False})
        shared = {"iperf": f"pair:{ids[0]}-{ids[1]}", "rados": f"pool:{pool['id']}"}
        targets = [
            {"fio": f"disk:{disk}", "iozone": f"directory:{directory}", **shared}
            for disk, directory in zip(disks, directories, strict=True)
        ]
        yield Tools(stack, boxes, ceph_cluster, targets[0], targets[1])
        boxes[1].inside("umount", str(folder / "mounted"))


def _directories(
    stack: Stack, box: NetnsHost, host: int, node: Path | str, folder: Path
) -> list[int]:
    """Two directories on one file system of the host."""
    mounted = folder / "mounted"
    mounted.mkdir()
    box.inside("mount", str(node), str(mounted))
    result = []
    for name in ("tested", "loaded"):
        box.inside("install", "-d", "-m", "700", str(mounted / name))
        body = {"host": host, "path": str(mounted / name)}
        result.append(stack.post("directories/", body)["id"])
    return result


def plan_of(
    tools: Tools,
    test: str,
    *loads: str,
    params: JSON | None = None,
    test_params: JSON | None = None,
) -> JSON:
    """A plan of a test, alone and beside each load.

    `params` change those of the loads, `test_params` those of the test that it has.
    """
    changes = {name: value for name, value in (test_params or {}).items() if name in TESTS[test]}
    steps: list[JSON] = [{"tool": test, "params": TESTS[test] | changes}]
    for load in loads:
        step = {"tool": load, "params": LOADS[load] | (params or {}), "target": tools.loaded[load]}
        steps.append(step | {"role": "background", "settle_seconds": 1.0})
    body = {
        "name": f"beside tools {next(_number)}",
        "repeats": 1,
        "order": "listed",
        "steps": steps,
        "targets": [tools.tested[test]],
    }
    made: JSON = tools.stack.post("plans/", body)
    return made


def pids(tools: Tools) -> list[int]:
    return [pid for box in tools.boxes for name in PROGRAM.values() for pid in box.pids_of(name)]


@pytest.mark.parametrize("test", TESTS)
def test_every_tool_with_every_background_load_is_measured(tools: Tools, test: str) -> None:
    """All loads begin before and end after the test, on hosts whose clocks differ by hours."""
    stack = tools.stack
    with stack.worker():
        run = ended(stack, launch(stack, plan_of(tools, test, *LOADS)), 400)
    assert_state(stack, run, "succeeded")
    alone, *beside = cases(stack, run)
    assert "background" not in alone["params"]
    assert len(beside) == len(LOADS)
    for load, case in zip(LOADS, beside, strict=True):
        (attempt,) = case["attempts"]
        assert attempt["valid"], attempt
        report = attempt["background"]
        assert not report.get("fault"), report
        assert 1.0 <= report["ahead_seconds"] < 60.0
        operations = {one["operation"] for one in report.get("figures", ())}
        assert operations == OPERATIONS[load], (load, report, attempt["warnings"])
        assert stack.rows(f"measurements/?case={case['id']}")
    assert not pids(tools)


@pytest.mark.parametrize("load", LOADS)
def test_a_killed_load_fails_its_attempt_by_name_and_is_repeated(tools: Tools, load: str) -> None:
    stack, test = tools.stack, "rados" if load == "fio" else "fio"
    with stack.worker():
        run = launch(stack, plan_of(tools, test, load, test_params={"seconds": 6, "runtime": 6}))
        killed = until(lambda: _kill_load(tools, test, load), bool, 200, "a test beside its load")
        run = ended(stack, run, 200)
    assert_state(stack, run, "succeeded")
    _alone, beside = cases(stack, run)
    second, first = sorted(beside["attempts"], key=lambda one: -int(one["number"]))
    assert killed
    assert (first["state"], second["state"]) == ("failed", "succeeded")
    assert not first["valid"]
    assert "background load" in first["reason"], first["reason"]
    assert "tools-" in first["background"]["fault"], first["background"]
    assert second["valid"]
    assert not pids(tools)


def test_a_load_that_ends_by_itself_is_the_fault_of_the_plan(tools: Tools) -> None:
    """rados reads each object once; a repeat would end early as well."""
    stack = tools.stack
    params = {"operations": "write+seq", "max_objects": OBJECTS, "bs": "4k", "seconds": 2}
    plan = plan_of(tools, "fio", "rados", params=params, test_params={"runtime": 6})
    with stack.worker():
        run = ended(stack, launch(stack, plan), 200)
    _alone, beside = cases(stack, run)
    (attempt,) = beside["attempts"]
    assert beside["state"] == "failed"
    assert beside["failure_cause"] == "plan"
    assert "tools-one: it had no more to do" in beside["reason"], beside["reason"]
    assert not attempt["valid"]
    assert not pids(tools)


def _kill_load(tools: Tools, test: str, load: str) -> list[int]:
    """Kill the load once the test runs beside it; return what was killed."""
    found = [
        [p for box in tools.boxes for p in box.pids_of(PROGRAM[name])] for name in (test, load)
    ]
    if not all(found):
        return []
    for pid in found[1]:
        with contextlib.suppress(ProcessLookupError):  # a short one has ended since
            os.kill(pid, signal.SIGKILL)
    return found[1]
