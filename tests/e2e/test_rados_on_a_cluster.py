"""rados bench on a real Ceph, through the agent: what is measured, and what is left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client
from apps.tools.errors import ToolError
from apps.tools.parse_result import all_warnings
from apps.tools.registry import tool
from apps.tools.targets import PoolPlan, ToolTarget
from tests.harness.agent_case import AgentCase, agent_case
from tests.harness.ceph import Cluster

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("ceph"), pytest.mark.timeout(180)]
NAME = "bench"
REPLICATED = PoolPlan(pg_num=8, replicas=2)
ERASURE = PoolPlan(pg_num=8, k=2, m=1, failure_domain="osd")
SMALL = {"bs": "16k", "threads": 4, "seconds": 1}
Case = Callable[..., AgentCase]


@pytest.fixture
def case(ceph_cluster: Cluster, tmp_path: Path) -> Iterator[Case]:
    """Make a case on a pool; `make` None: the pool is found."""
    with Client(tmp_path / "base", {"HOME": str(ceph_cluster.home)}) as client:

        def build(make: PoolPlan | None = None, **raw: object) -> AgentCase:
            target = ToolTarget("pool", NAME, make=make)
            return agent_case(client, tool("rados"), target, **{**SMALL, **raw})

        yield build


@pytest.fixture
def pool(ceph_cluster: Cluster) -> Iterator[str]:
    """A pool that was there before, with objects of somebody else, also some of a rados bench."""
    ceph_cluster.ceph("osd", "pool", "create", NAME, "8")
    ceph_cluster.ceph("osd", "pool", "application", "enable", NAME, "rbd")
    few = ["--no-cleanup", "-b", "4096", "--max-objects", "20"]
    for argv in (["bench", "1", "write", *few], ["put", "mine", __file__]):
        ceph_cluster.run("rados", "-p", NAME, *argv)
    ceph_cluster.run("rados", "-p", NAME, "-N", "elsewhere", "put", "mine", __file__)
    ceph_cluster.wait_for(lambda: ceph_cluster.health() == "HEALTH_OK")
    yield NAME
    ceph_cluster.ceph("osd", "pool", "delete", NAME, NAME, "--yes-i-really-really-mean-it")


def test_a_replicated_pool_is_made_measured_and_deleted(case: Case, ceph_cluster: Cluster) -> None:
    ended = case(REPLICATED).run()
    assert ended.parsed, ended.complaint
    found = {m.operation: m for m in ended.parsed.measurements}
    assert list(found) == ["write", "seq", "rand"]
    assert ended.parsed.completeness == "whole"
    assert (ended.parsed.version or "").count(".") >= 2
    for each in found.values():
        assert each.bandwidth == pytest.approx((each.iops or 0) * 16384)
        assert each.latency.mean
    assert set(ceph_cluster.pools()) == set()
    ceph = found["seq"].values["ceph"]
    assert (ceph["health"], ceph["osds_up"], ceph["osds_in"]) == ("HEALTH_OK", 3, 3)
    assert (ceph["pool"]["size"], ceph["pool"]["pg_num"]) == (2, 8)


def test_an_erasure_coded_pool_rounds_small_blocks_to_its_stripe(
    case: Case, ceph_cluster: Cluster
) -> None:
    ended = case(ERASURE, bs="4k").run()
    assert ended.parsed, ended.complaint
    write = ended.parsed.measurements[0]
    assert write.params["bs"] == 8192
    assert any("from 4 KiB to 8 KiB" in sentence for sentence in all_warnings(ended.parsed))
    assert write.values["ceph"]["pool"]["erasure_code"]["k"] == "2"
    assert ceph_cluster.pools() == []
    assert ceph_cluster.ceph("osd", "erasure-code-profile", "ls") == ["default"]
    assert ceph_cluster.ceph("osd", "crush", "rule", "ls") == ["replicated_rule"]


def test_in_a_pool_that_is_found_only_our_own_objects_are_removed(
    case: Case, ceph_cluster: Cluster, pool: str
) -> None:
    before = sorted(ceph_cluster.objects(pool))
    ended = case().run()
    assert ended.parsed, ended.complaint
    assert sorted(ceph_cluster.objects(pool)) == before
    assert b"Removed" in ended.roles["cleanup"]
    assert ended.roles["left"] == b""
    assert not any("still in the pool" in sentence for sentence in all_warnings(ended.parsed))


def test_a_pool_that_exists_is_not_made_and_stays_as_it_is(
    case: Case, ceph_cluster: Cluster, pool: str
) -> None:
    before = sorted(ceph_cluster.objects(pool))
    ended = case(REPLICATED).run()
    assert ended.parsed is None
    assert "Pool bench exists" in ended.complaint
    assert "write" not in ended.roles
    assert sorted(ceph_cluster.objects(pool)) == before


def test_cancelled_while_it_writes_nothing_stays(
    case: Case, ceph_cluster: Cluster, pool: str
) -> None:
    before = sorted(ceph_cluster.objects(pool))
    cancelled = case(seconds=60)
    cancelled.start()
    ceph_cluster.wait_for(lambda: any(cancelled.word in o for o in ceph_cluster.objects(pool)))
    cancelled.client.good("cancel", attempt=cancelled.attempt)
    ended = cancelled.end()
    assert ended.exit["cancelled"]
    assert sorted(ceph_cluster.objects(pool)) == before


def test_cancelled_with_a_pool_of_its_own_the_pool_goes(case: Case, ceph_cluster: Cluster) -> None:
    cancelled = case(ERASURE, seconds=60)
    cancelled.start()
    ceph_cluster.wait_for(lambda: NAME in ceph_cluster.pools() and ceph_cluster.objects(NAME) != [])
    cancelled.client.good("cancel", attempt=cancelled.attempt)
    assert cancelled.end().exit["cancelled"]
    assert ceph_cluster.pools() == []


def test_what_an_unhealthy_cluster_says_stands_beside_the_result(
    case: Case, ceph_cluster: Cluster, pool: str
) -> None:
    ceph_cluster.stop_osd(2)
    try:
        ended = case(operations="write", seconds=1).run()
    finally:
        ceph_cluster.start_osd(2)
    assert ended.parsed, ended.complaint
    said = [s for s in all_warnings(ended.parsed) if s.startswith("Ceph was not healthy before")]
    assert "HEALTH_WARN" in said[0]
    assert "1 osds down" in said[0]
    assert ended.parsed.measurements[0].values["ceph"]["osds_up"] == 2


def test_reading_everything_before_the_time_is_up_is_said(case: Case, pool: str) -> None:
    ended = case(operations="write+seq", max_objects=20, seconds=3).run()
    assert ended.parsed, ended.complaint
    seq = ended.parsed.measurements[1]
    assert seq.values["ran_out_of_objects"]
    assert any("ran out of objects" in sentence for sentence in all_warnings(ended.parsed))


def test_a_pool_that_is_not_there_fails_with_ceph_s_own_words(case: Case) -> None:
    ended = case(operations="write").run()
    assert ended.parsed is None
    assert "unrecognized pool 'bench'" in ended.complaint
    assert "write" not in ended.roles


def test_live_figures_come_while_it_runs(case: Case, pool: str) -> None:
    running = case(operations="write+rand", seconds=3)
    running.start()
    frames = running.client.pieces("follow", attempt=running.attempt, offsets={"stdout": 0})
    progress = tool("rados").progress()
    assert progress
    fed = [progress.feed(payload) for _, payload in frames]
    samples = [sample for piece in fed for sample in piece]
    operations = [name for sample in samples for name in sample.operations]
    assert list(dict.fromkeys(operations)) == ["write", "rand"]
    assert len([piece for piece in fed if piece]) > 2
    assert [sample.seconds for sample in samples] == sorted({sample.seconds for sample in samples})


def test_stored_objects_are_read_by_later_tests_and_removed_by_the_last(
    case: Case, pool: str, ceph_cluster: Cluster
) -> None:
    namespace = ("rados", "-p", pool, "-N", "benchlab-stored-kept")
    for _repeat in range(2):
        written = case(operations="write", stored="kept", max_objects=40).run()
        assert written.parsed, written.complaint
    objects = ceph_cluster.run(*namespace, "ls").split()
    assert len(objects) == 41  # of the second write, and the record of the run
    read = case(operations="seq+rand", stored="kept", read_threads=None).run()
    assert read.parsed, read.complaint
    assert [m.operation for m in read.parsed.measurements] == ["seq", "rand"]
    assert read.parsed.measurements[0].params["bs"] == 16384
    assert ceph_cluster.run(*namespace, "ls").split() == objects
    with pytest.raises(ToolError, match="blocks of 16 KiB"):
        case(operations="seq", stored="kept", bs="64k").run()
    last = case(operations="seq", stored="kept", remove_stored=True).run()
    assert last.parsed, last.complaint
    assert ceph_cluster.run(*namespace, "ls").split() == []


def test_objects_of_an_earlier_run_are_read_and_stay(
    case: Case, pool: str, ceph_cluster: Cluster
) -> None:
    before = ceph_cluster.run("rados", "-p", pool, "ls").split()
    read = case(operations="seq", run_name="benchmark_last_metadata", bs="4k").run()
    assert read.parsed, read.complaint
    assert read.parsed.measurements[0].params["bs"] == 4096
    assert ceph_cluster.run("rados", "-p", pool, "ls").split() == before
