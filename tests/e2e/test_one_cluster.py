"""Two hosts that are clients of one Ceph: their runs take turns, and a cluster that fills up while
one of them writes ends that test, long before its deadline, and is named, not the tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.lab import add_box, cases, ended, launch, until
from tests.e2e.stack import JSON, Stack
from tests.harness.ceph import Cluster
from tests.harness.ceph_fixtures import let_in
from tests.harness.fixtures import no_box
from tests.harness.netns_host import NetnsHost

pytestmark = [
    *(pytest.mark.e2e, pytest.mark.needs_root),
    *(pytest.mark.xdist_group("ceph"), pytest.mark.timeout(400)),
]
_number = count(1)


class Two(NamedTuple):
    """A running benchlab without a worker; a pool of each of two clients of one cluster."""

    stack: Stack
    cluster: Cluster
    boxes: list[NetnsHost]
    hosts: list[JSON]
    pools: list[JSON]


@pytest.fixture(scope="module")
def two(stack: Stack, folder: Path, ceph_cluster: Cluster) -> Iterator[Two]:
    if reason := no_box():
        pytest.skip(reason)
    with ExitStack() as ending:
        boxes, hosts = [], []
        with stack.worker():
            for name in ("ceph-east", "ceph-west"):
                box = NetnsHost(folder / name)
                ending.callback(box.stop)
                box.start()
                let_in(box, ceph_cluster)
                boxes.append(box)
                hosts.append(add_box(stack, box, name))
        shape = {"is_ephemeral": True, "pg_num": 8, "replicas": 2, "failure_domain": "osd"}
        bodies = [{"name": f"of-{h['name']}", "host": h["id"], **shape} for h in hosts]
        pools = [stack.post("pools/", body) for body in bodies]
        yield Two(stack, ceph_cluster, boxes, hosts, pools)


def run_on(two: Two, pool: JSON, seconds: int) -> JSON:
    params = {"operations": "write", "bs": "16k", "threads": 2, "seconds": seconds}
    body = {
        "name": f"one cluster {next(_number)}",
        "repeats": 1,
        "steps": [{"tool": "rados", "params": params}],
        "targets": [f"pool:{pool['id']}"],
    }
    return launch(two.stack, two.stack.post("plans/", body))


def test_each_host_has_learned_the_cluster(two: Two) -> None:
    clusters = [host["cluster"] for host in two.hosts]
    assert [cluster["fsid"] for cluster in clusters] == [two.cluster.fsid] * 2
    assert clusters[0]["id"] == clusters[1]["id"]


def test_runs_through_two_hosts_take_turns_and_a_full_cluster_is_named(two: Two) -> None:
    stack, cluster, name = two.stack, two.cluster, two.pools[0]["name"]
    with stack.worker():
        first = run_on(two, two.pools[0], 200)
        path = f"runs/{first['id']}/"
        until(lambda: stack.get(path), lambda run: run["state"] == "running", 60, "started")
        second = run_on(two, two.pools[1], 1)
        waits = f"waits for Ceph cluster {cluster.fsid} (ceph-east), which run {first['id']} holds"
        until(lambda: stack.get(f"runs/{second['id']}/"), lambda run: run["reason"] == waits, 60)
        cluster.wait_for(lambda: name in cluster.pools() and cluster.objects(name) != [])
        try:
            _full_from(cluster, "0.001", "0.002", "0.003")
            cluster.wait_for(lambda: "OSD_FULL" in cluster.ceph("health")["checks"])
            # It is asked every 10 s; the test itself would write for 200 s and then wait for ever.
            first = ended(stack, first, 100)
        finally:
            _full_from(cluster, "0.85", "0.90", "0.95")
            cluster.wait_for(lambda: cluster.health() == "HEALTH_OK")
        second = ended(stack, second, 120)
    reason = cases(stack, first)[0]["reason"]
    assert "ended by benchlab: its pool is full" in reason
    assert "Ceph reported meanwhile: HEALTH_ERR" in reason
    assert "full osd(s)" in reason
    assert second["state"] == "succeeded", (cases(stack, second)[0]["reason"], stack.log("worker"))
    assert cluster.pools() == []


def _full_from(cluster: Cluster, near: str, backfill: str, full: str) -> None:
    """From which part of their size OSDs count as full: real fullness, without filling memory. Ceph
    wants the three in order, and heeds none that are not."""
    ratios = (("set-full-ratio", full), ("set-backfillfull-ratio", backfill))
    asked = (*ratios, ("set-nearfull-ratio", near))
    for name, value in asked if near > "0.1" else reversed(asked):
        cluster.ceph("osd", name, value)
