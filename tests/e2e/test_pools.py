"""A Ceph pool from a plan to its figures in the database: two client hosts, a real cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.lab import add_box, assert_state, cases, ended, launch, until
from tests.e2e.several import artifact
from tests.e2e.stack import JSON, Stack
from tests.harness.ceph import Cluster
from tests.harness.ceph_fixtures import let_in
from tests.harness.fixtures import no_box
from tests.harness.netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.xdist_group("ceph")]
SMALL = {"bs": "16k", "threads": 4, "seconds": 2, "write_seconds": 3}
NAMES = ("client1", "client2")
_number = count(1)


class Clients(NamedTuple):
    """A running benchlab without a worker, and two hosts that reach the cluster."""

    stack: Stack
    cluster: Cluster
    hosts: list[int]

    def pool(self, name: str, **fields: object) -> JSON:
        """A row for a pool that both hosts use."""
        body = {"name": name, "host": self.hosts[0], "clients": self.hosts[1:], "pg_num": 8}
        made: JSON = self.stack.post("pools/", body | fields)
        return made

    def run(self, pool: JSON, **params: object) -> JSON:
        """A launched run of one rados step on it."""
        plan = {
            "name": f"made pool {next(_number)}",
            "repeats": 1,
            "steps": [{"tool": "rados", "params": SMALL | params}],
            "targets": [f"pool:{pool['id']}"],
        }
        return launch(self.stack, self.stack.post("plans/", plan))


@pytest.fixture(scope="module")
def clients(stack: Stack, folder: Path, ceph_cluster: Cluster) -> Iterator[Clients]:
    if reason := no_box():
        pytest.skip(reason)
    with ExitStack() as ending:
        hosts = []
        with stack.worker():
            for name in NAMES:
                box = NetnsHost(folder / name)
                ending.callback(box.stop)
                box.start()
                let_in(box, ceph_cluster)
                host = add_box(stack, box, name)
                hosts.append(host["id"])
        yield Clients(stack, ceph_cluster, hosts)


def test_two_hosts_measure_a_pool_made_for_them(clients: Clients) -> None:
    stack = clients.stack
    pool = clients.pool(
        "bench", is_ephemeral=True, pool_type="erasure", k=2, m=1, failure_domain="osd"
    )
    with stack.worker():
        run = ended(stack, clients.run(pool), 150)
    assert_state(stack, run, "succeeded")
    case = cases(stack, run)[0]
    assert case["attempts"][0]["valid"], case["attempts"][0]
    assert clients.cluster.pools() == []
    rows = stack.rows(f"measurements/?case={case['id']}&components=true")
    found = {(row["operation"], row["component"]): row for row in rows}
    assert {part for _, part in found} == {"", *NAMES}
    assert {operation for operation, _ in found} == {"write", "seq", "rand"}
    _sums(found)
    ceph = found["write", ""]["values"]["ceph"]
    assert (ceph["health"], ceph["osds_up"]) == ("HEALTH_OK", 3)
    assert ceph["pool"]["erasure_code"]["k"] == "2"
    assert b"osd_objectstore" not in artifact(stack, case, "client1/osd-dump.json")
    assert b"3/3: rados" in artifact(stack, case, "client2/stdout")
    series = stack.rows(f"series/?case={case['id']}")
    assert {"bandwidth", "iops", "latency_mean"} <= {row["metric"] for row in series}


def _sums(found: dict[tuple[str, str], JSON]) -> None:
    """What both wrote is what each wrote, together."""
    whole = found["write", ""]
    parts = [found["write", name] for name in NAMES]
    total = sum(part["values"]["total_ios"] for part in parts)
    assert whole["values"]["total_ios"] == total
    assert whole["iops"] == pytest.approx(sum(part["iops"] for part in parts), rel=0.25)
    assert whole["latency_max"] == max(part["latency_max"] for part in parts)


def test_cancelled_in_the_middle_the_pool_goes(clients: Clients) -> None:
    stack, pool = clients.stack, clients.pool("cancelled", is_ephemeral=True)
    with stack.worker():
        run = clients.run(pool, seconds=100, write_seconds=100)
        until(lambda: "cancelled" in clients.cluster.pools(), bool, 60, "the pool is made")
        objects = clients.cluster.objects
        until(lambda: len(objects("cancelled")) > 10, bool, 60, "something is written")
        stack.post(f"runs/{run['id']}/cancel/")
        run = ended(stack, run, 120)
    assert run["state"] == "cancelled"
    assert clients.cluster.pools() == []


def test_a_pool_that_exists_fails_the_run_and_stays(clients: Clients) -> None:
    stack, cluster = clients.stack, clients.cluster
    cluster.ceph("osd", "pool", "create", "theirs", "8")
    cluster.run("rados", "-p", "theirs", "put", "mine", __file__)
    try:
        with stack.worker():
            run = ended(stack, clients.run(clients.pool("theirs", is_ephemeral=True)))
        assert run["state"] == "failed"
        assert "Pool theirs exists" in cases(stack, run)[0]["reason"]
        assert [name.split()[-1] for name in cluster.objects("theirs")] == ["mine"]
    finally:
        cluster.ceph("osd", "pool", "delete", "theirs", "theirs", "--yes-i-really-really-mean-it")
