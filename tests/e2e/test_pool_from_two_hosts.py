"""rados bench from two client hosts at once: the pool is made by the first, every operation starts
on both together, the pool is gone afterwards whatever happened.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.lab import add_box, assert_state, cases, ended, launch, until
from tests.e2e.stack import JSON, Process, Stack
from tests.harness.ceph import Cluster
from tests.harness.ceph_fixtures import client_boxes
from tests.harness.fixtures import no_box
from tests.harness.netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.xdist_group("ceph")]
POOL = "together"
SMALL = {"bs": "16k", "threads": 2, "seconds": 2}
_number = count(1)


class Clients(NamedTuple):
    """A running benchlab without a worker, and two clients of a cluster."""

    stack: Stack
    boxes: list[NetnsHost]
    cluster: Cluster
    pool: JSON


@pytest.fixture(scope="module")
def clients(stack: Stack, folder: Path, ceph_cluster: Cluster) -> Iterator[Clients]:
    if reason := no_box():
        pytest.skip(reason)
    with ExitStack() as ending:
        clocks = {"client-one": 0, "client-two": 7_000}
        boxes = client_boxes(ending, folder, ceph_cluster, clocks)
        with stack.worker():
            ids = [add_box(stack, *row)["id"] for row in zip(boxes, clocks, strict=True)]
        shape = {"is_ephemeral": True, "pg_num": 8, "replicas": 2, "failure_domain": "osd"}
        body = {"name": POOL, "host": ids[0], "clients": [ids[1]], **shape}
        yield Clients(stack, boxes, ceph_cluster, stack.post("pools/", body))


def run_of(clients: Clients, **params: object) -> JSON:
    body = {
        "name": f"pool {next(_number)}",
        "repeats": 1,
        "steps": [{"tool": "rados", "params": SMALL | params}],
        "targets": [f"pool:{clients.pool['id']}"],
    }
    return launch(clients.stack, clients.stack.post("plans/", body))


# Seconds: a busy machine lets a process that is due wait; one after the other takes longer.
TOGETHER = 0.5


def test_every_operation_is_measured_on_both_and_added(clients: Clients) -> None:
    stack = clients.stack
    with stack.worker():
        run = ended(stack, run_of(clients))
    case = cases(stack, run)[0]
    assert_state(stack, run, "succeeded")
    rows = stack.rows(f"measurements/?case={case['id']}&components=true")
    found = {(row["operation"], row["component"]): row for row in rows}
    for operation in ("write", "seq", "rand"):
        whole, *shares = [found[operation, part] for part in ("", "client-one", "client-two")]
        assert whole["values"]["total_ios"] == sum(s["values"]["total_ios"] for s in shares)
        assert whole["bandwidth"] == pytest.approx(sum(s["bandwidth"] for s in shares), rel=0.1)
        assert whole["latency_max"] == max(s["latency_max"] for s in shares)
    starts = case["attempts"][0]["exit"]["starts"]
    assert max(starts["client-one"], starts["client-two"]) < TOGETHER, starts
    assert POOL not in clients.cluster.pools()


def test_a_cancelled_test_leaves_no_pool(clients: Clients) -> None:
    stack = clients.stack
    with stack.worker():
        run = run_of(clients, seconds=60)
        until(clients.cluster.pools, lambda pools: POOL in pools, 60, "pool made")
        until(lambda: _rados(clients), lambda lines: len(lines) == 2, 60, "both write")
        stack.post(f"runs/{run['id']}/cancel/")
        run = ended(stack, run, 60)
    assert run["state"] == "cancelled"
    assert not _rados(clients)
    assert POOL not in clients.cluster.pools()


@pytest.mark.parametrize("boundary", ["released", "stopped"])
def test_a_killed_worker_costs_neither_result_nor_pool(clients: Clients, boundary: str) -> None:
    stack = clients.stack
    run = run_of(clients, seconds=60 if boundary == "stopped" else 2)
    with stack.worker(crash_point=boundary) as doomed:
        if boundary == "stopped":
            _wait_until_both_write(clients, doomed)
            stack.post(f"runs/{run['id']}/cancel/")
        assert doomed.wait(60) == -9, stack.log("worker")
    with stack.worker():
        run = ended(stack, run, 120)
    wanted = "cancelled" if boundary == "stopped" else "succeeded"
    assert_state(stack, run, wanted)
    assert not _rados(clients)
    assert POOL not in clients.cluster.pools()


def _wait_until_both_write(clients: Clients, worker: Process) -> None:
    deadline = time.monotonic() + 120
    while len(_rados(clients)) < 2:
        assert worker.poll() is None, clients.stack.log("worker")
        assert time.monotonic() < deadline, clients.stack.log("worker")
        time.sleep(0.2)


def _rados(clients: Clients) -> list[str]:
    lines = [line for box in clients.boxes for line in box.processes()]
    return [line for line in lines if line.startswith("rados ")]
