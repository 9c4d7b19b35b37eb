"""Images in a pool of a real Ceph, through the agent: what is measured, and what is left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client
from apps.tools.registry import tool
from apps.tools.targets import PoolPlan, ToolTarget
from tests.harness.agent_case import AgentCase, agent_case
from tests.harness.ceph import Cluster

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("ceph"), pytest.mark.timeout(180)]
NAME = "imaged"
REPLICATED = PoolPlan(pg_num=8, replicas=2, failure_domain="osd")
SMALL = {"size": "2M", "image_size": "16M", "threads": 4}
Case = Callable[..., AgentCase]


@pytest.fixture
def case(ceph_cluster: Cluster, tmp_path: Path) -> Iterator[Case]:
    """Make a case on a pool; `make` None: the pool is found."""
    with Client(tmp_path / "base", {"HOME": str(ceph_cluster.home)}) as client:

        def build(name: str, make: PoolPlan | None = None, **raw: object) -> AgentCase:
            return agent_case(client, tool(name), ToolTarget("pool", NAME, make=make), **raw)

        yield build


@pytest.fixture
def pool(ceph_cluster: Cluster) -> Iterator[str]:
    """A pool that was there before, with an image of somebody else."""
    ceph_cluster.ceph("osd", "pool", "create", NAME, "8")
    ceph_cluster.ceph("osd", "pool", "application", "enable", NAME, "rbd")
    ceph_cluster.run("rbd", "create", "--size", "16M", f"{NAME}/theirs")
    ceph_cluster.wait_for(lambda: ceph_cluster.health() == "HEALTH_OK")
    yield NAME
    ceph_cluster.ceph("osd", "pool", "delete", NAME, NAME, "--yes-i-really-really-mean-it")


def images(cluster: Cluster) -> list[str]:
    return cluster.run("rbd", "ls", NAME).split()


def test_rbd_bench_in_a_pool_of_its_own(case: Case, ceph_cluster: Cluster) -> None:
    ended = case("rbd", REPLICATED, mode="readwrite", reads=70, **SMALL).run()
    assert ended.parsed, ended.complaint
    found = {m.operation: m for m in ended.parsed.measurements}
    assert sorted(found) == ["read", "write"]
    assert sum(m.values["total_ios"] for m in found.values()) == 512  # type: ignore[misc]  # a number
    assert found["read"].values["ceph"]["pool"]["size"] == 2
    assert ended.parsed.completeness == "whole"
    assert ceph_cluster.pools() == []


def test_of_a_pool_that_is_found_only_our_image_is_removed(
    case: Case, ceph_cluster: Cluster, pool: str
) -> None:
    ended = case("rbd", mode="read", **SMALL).run()
    assert ended.parsed, ended.complaint
    assert [m.operation for m in ended.parsed.measurements] == ["read"]
    assert images(ceph_cluster) == ["theirs"]


def test_fio_reads_an_image_that_was_filled_before(
    case: Case, ceph_cluster: Cluster, pool: str
) -> None:
    ended = case("fio", ioengine="rbd", rw="randread", size="16M", runtime=1, iodepth=4).run()
    assert ended.parsed, ended.complaint
    (found,) = ended.parsed.measurements
    assert (found.operation, found.params["ioengine"]) == ("read", "rbd")
    assert found.latency.percentiles["99"]
    assert found.values["ceph"]["pool"]["name"] == NAME
    assert images(ceph_cluster) == ["theirs"]


def test_fio_writes_to_one_image_with_several_jobs(case: Case, ceph_cluster: Cluster) -> None:
    asked = {"rw": "randwrite", "size": "8M", "runtime": 1, "iodepth": 4, "numjobs": 2}
    ended = case("fio", REPLICATED, ioengine="rbd", **asked).run()
    assert ended.parsed, ended.complaint
    assert ended.parsed.completeness == "whole"
    assert ceph_cluster.pools() == []


def test_cancelled_while_it_writes_no_image_stays(
    case: Case, ceph_cluster: Cluster, pool: str
) -> None:
    cancelled = case("rbd", size="16G", image_size="16M", threads=1, fill=False)
    cancelled.start()
    ceph_cluster.wait_for(lambda: any("rbd_data." in o for o in ceph_cluster.objects(pool)))
    cancelled.client.good("cancel", attempt=cancelled.attempt)
    assert cancelled.end().exit["cancelled"]
    assert images(ceph_cluster) == ["theirs"]
