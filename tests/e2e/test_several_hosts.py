"""One case on the disks of two hosts: started at one moment by clocks that differ, measured, and
added up.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.lab import add_box, assert_state, cases, ended, enrol, launch, until
from tests.e2e.several import (
    READ,
    WRITE,
    Hosts,
    artifact,
    in_phase,
    last_document,
    plan_of_group,
)
from tests.e2e.stack import JSON, Stack
from tests.harness.fixtures import no_box
from tests.harness.loops import loop_disk
from tests.harness.netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]

CLOCKS = {"east": 0, "west": 40_000}


@pytest.fixture(scope="module")
def hosts(stack: Stack, folder: Path) -> Iterator[Hosts]:
    """West's monotonic clock is eleven hours ahead."""
    if reason := no_box():
        pytest.skip(reason)
    with ExitStack() as ending:
        boxes, nodes, members = [], [], []
        with stack.worker():
            for name, clock in CLOCKS.items():
                box = NetnsHost(folder / name, clock=clock)
                ending.callback(box.stop)
                box.start()
                node = ending.enter_context(loop_disk(64, folder))
                disk = enrol(stack, add_box(stack, box, name)["id"], node)
                boxes.append(box)
                nodes.append(node)
                members.append(f"disk:{disk['id']}")
            nodes.append(ending.enter_context(loop_disk(64, folder)))
            third = enrol(stack, disk["host"], nodes[2])
        group = stack.post("groups/", {"name": "both", "members": members})
        three = {"name": "three", "members": [*members, f"disk:{third['id']}"]}
        yield Hosts(stack, boxes, nodes, group, stack.post("groups/", three))


def run_of(hosts: Hosts, params: JSON = READ, **fields: object) -> JSON:
    return launch(hosts.stack, plan_of_group(hosts.stack, hosts.group, params, **fields))


def measurements(hosts: Hosts, case: JSON) -> dict[str, JSON]:
    """By part: "" is the whole."""
    rows = hosts.stack.rows(f"measurements/?case={case['id']}&components=true")
    return {row["component"]: row for row in rows}


def test_both_start_at_one_moment_and_are_added(hosts: Hosts) -> None:
    stack = hosts.stack
    with stack.worker():
        run = ended(stack, run_of(hosts))
    assert_state(stack, run, "succeeded")
    case = cases(stack, run)[0]
    attempt = case["attempts"][0]
    assert attempt["valid"], attempt
    starts = attempt["exit"]["starts"]
    # Seconds: a busy machine lets a process that is due wait; their clocks are apart by far more.
    assert {host: starts[host] < 0.5 for host in CLOCKS} == {"east": True, "west": True}, starts
    assert max(starts["uncertainty"].values()) < 0.5
    _clocks_differed(attempt)
    _sums_are_those_of_fio(hosts, case)
    series = stack.rows(f"series/?case={case['id']}&source=device")
    assert {row["component"] for row in series} == {"east", "west"}


def _clocks_differed(attempt: JSON) -> None:
    """The agents' own clocks were hours apart when they started within milliseconds."""
    began = {
        job["name"]: job["exit"]["held_start"]["started_at"] for job in attempt["exit"]["jobs"]
    }
    assert 39_990 < began["west"] - began["east"] < 40_010


def _sums_are_those_of_fio(hosts: Hosts, case: JSON) -> None:
    said = {
        name: last_document(artifact(hosts.stack, case, f"{name}/result.json"))["jobs"][0]["read"]
        for name in CLOCKS
    }
    found = measurements(hosts, case)
    assert set(found) == {"", "east", "west"}
    for name in CLOCKS:
        assert found[name]["iops"] == said[name]["iops"]
        assert found[name]["bandwidth"] == said[name]["bw_bytes"]
    whole = found[""]
    assert whole["values"]["total_ios"] == sum(each["total_ios"] for each in said.values())
    assert whole["values"]["io_bytes"] == sum(each["io_bytes"] for each in said.values())
    by_hand = sum(each["iops"] for each in said.values())
    assert whole["iops"] == pytest.approx(by_hand, rel=0.05)
    assert whole["latency_max"] == max(each["lat_ns"]["max"] for each in said.values())
    _histogram_is_the_sum(hosts, whole, said)


def _histogram_is_the_sum(hosts: Hosts, whole: JSON, said: dict[str, JSON]) -> None:
    added: dict[int, int] = {}
    for each in said.values():
        for value, count in each["lat_ns"]["bins"].items():
            added[int(value)] = added.get(int(value), 0) + count
    histogram = hosts.stack.get(f"measurements/{whole['id']}/")["histogram"]
    assert dict(zip(histogram["bins"], histogram["counts"], strict=True)) == added
    half, running = sum(added.values()) / 2, 0
    for value in sorted(added):
        running += added[value]
        if running >= half:
            assert whole["latency_p50"] == value
            return


@pytest.mark.parametrize("boundary", ["launched", "all-ready", "released", "collected"])
def test_a_run_survives_its_worker(hosts: Hosts, boundary: str) -> None:
    stack, before = hosts.stack, _started(hosts)
    run = run_of(hosts)
    with stack.worker(crash_point=boundary) as doomed:
        assert doomed.wait(60) == -9, stack.log("worker")
    with stack.worker():
        run = ended(stack, run)
    assert_state(stack, run, "succeeded")
    case = cases(stack, run)[0]
    assert len(case["attempts"]) == 1
    jobs = {job["job"] for job in case["attempts"][0]["exit"]["jobs"]}
    assert _started(hosts) - before == jobs
    assert set(measurements(hosts, case)) == {"", "east", "west"}


def _started(hosts: Hosts) -> set[str]:
    """Every job the hosts have ever begun: its folder is there, or its tombstone."""
    folders = [box.base / name for box in hosts.boxes for name in ("jobs", "done")]
    return {entry.name for folder in folders if folder.exists() for entry in folder.iterdir()}


def test_three_disks_of_two_hosts_at_once(hosts: Hosts) -> None:
    """West has two of them: the whole, each host, and each disk."""
    stack = hosts.stack
    with stack.worker():
        run = ended(stack, launch(stack, plan_of_group(stack, hosts.three, WRITE)))
    case = cases(stack, run)[0]
    assert_state(stack, run, "succeeded")
    found = measurements(hosts, case)
    two = [f"west {Path(node).name}" for node in sorted(hosts.nodes[1:])]  # as a group does
    assert set(found) == {"", "east", "west", *two}
    said = last_document(artifact(stack, case, "west/result.json"))["jobs"]
    assert [found[part]["iops"] for part in two] == [job["write"]["iops"] for job in said]
    total = sum(job["write"]["total_ios"] for job in said)
    assert found["west"]["values"]["total_ios"] == total
    whole = found[""]["values"]["total_ios"]
    assert whole == total + found["east"]["values"]["total_ios"]
    device = stack.rows(f"series/?case={case['id']}&source=device&metric=writes")
    seen = {(row["component"], row["subject"]) for row in device}
    names = [Path(node).name for node in hosts.nodes]
    assert seen == {("east", names[0]), ("west", names[1]), ("west", names[2])}


def test_one_refusal_leaves_every_byte_of_both(hosts: Hosts) -> None:
    stack, contents = hosts.stack, [Path(node) for node in hosts.nodes]
    ours = contents[1].read_bytes()
    subprocess.run(["mkfs.ext4", "-q", hosts.nodes[1]], check=True)
    before = [content.read_bytes() for content in contents]
    with stack.worker():
        run = ended(stack, run_of(hosts, WRITE))
    assert run["state"] == "failed"
    case = cases(stack, run)[0]
    assert case["reason"].startswith("west: "), case["reason"]
    assert "ext4" in case["reason"]
    assert [content.read_bytes() for content in contents] == before
    assert not _fio(hosts)
    contents[1].write_bytes(ours)


def test_cancel_ends_it_on_both(hosts: Hosts) -> None:
    stack = hosts.stack
    with stack.worker():
        run = run_of(hosts, READ | {"runtime": 120})
        in_phase(stack, run, "running")
        stack.post(f"runs/{run['id']}/cancel/")
        run = ended(stack, run, 30)
    assert run["state"] == "cancelled"
    assert not _fio(hosts)
    assert cases(stack, run)[0]["state"] == "cancelled"


def test_a_cut_cable_of_one_host_costs_no_result(hosts: Hosts) -> None:
    stack = hosts.stack
    with stack.worker():
        run = run_of(hosts, READ | {"runtime": 20})
        in_phase(stack, run, "running")
        hosts.boxes[1].link(False)
        unknown = until(
            lambda: cases(stack, run)[0]["attempts"][0],
            lambda attempt: attempt["contact_lost_since"] is not None,
            40,
            "contact noticed as lost",
        )
        assert unknown["state"] == "running"
        hosts.boxes[1].link(True)
        run = ended(stack, run)
    assert_state(stack, run, "succeeded")
    attempt = cases(stack, run)[0]["attempts"][0]
    assert (attempt["valid"], attempt["contact_lost_since"]) == (True, None)


def test_a_dead_tool_on_one_host_ends_the_other_and_is_named(hosts: Hosts) -> None:
    stack = hosts.stack
    with stack.worker():
        run = run_of(hosts, READ | {"runtime": 120})
        in_phase(stack, run, "running")
        for pid in hosts.boxes[1].pids_of("fio"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        run = ended(stack, run, 60)
    assert run["state"] == "failed"
    assert cases(stack, run)[0]["reason"].startswith("west: the tool was killed by signal")
    assert not _fio(hosts)


def test_a_power_cut_of_one_host_is_lost_and_ends_the_other(hosts: Hosts) -> None:
    stack = hosts.stack
    with stack.worker():
        run = run_of(hosts, READ | {"runtime": 120})
        in_phase(stack, run, "running")
        hosts.boxes[1].power_cut()
        hosts.boxes[1].start()
        run = ended(stack, run, 120)
    assert_state(stack, run, "lost")
    assert cases(stack, run)[0]["reason"].startswith("west: ")
    assert not _fio(hosts)


def _fio(hosts: Hosts) -> list[str]:
    return [line for box in hosts.boxes for line in box.processes() if line.startswith("fio ")]
