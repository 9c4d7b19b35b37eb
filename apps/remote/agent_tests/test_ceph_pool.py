"""A pool that an attempt makes: all its own, never another's, and nothing is left of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.remote.agent.ceph import pool_setup
from apps.remote.agent.ceph.pool import ceph_pool
from apps.remote.agent_tests.client import Message
from tests.harness.ceph import Cluster

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("ceph"), pytest.mark.timeout(120)]
OURS, OTHERS = "0123456789ab", "ba9876543210"
Do = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def do(ceph_cluster: Cluster, capfd: pytest.CaptureFixture[str]) -> Iterator[Do]:
    """Run the builtin: its exit code, what it did, what it complained about."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(ceph_cluster.home)}

    def run(*words: str) -> tuple[int, Any, str]:
        code = ceph_pool(list(words), environment)
        said = capfd.readouterr()
        return code, json.loads(said.out)["ceph_pool"] if said.out else None, said.err

    yield run
    for attempt in (OURS, OTHERS):
        run("delete", "test", attempt)
    assert left(ceph_cluster) == ([], ["replicated_rule"], ["default"])


def left(cluster: Cluster) -> tuple[list[str], list[str], list[str]]:
    """Pools, rules and erasure code profiles of the cluster."""
    rules = cluster.ceph("osd", "crush", "rule", "ls")
    return cluster.pools(), rules, cluster.ceph("osd", "erasure-code-profile", "ls")


def settings(cluster: Cluster, pool: str = "test") -> Message:
    found: Message = cluster.ceph("osd", "pool", "get", pool, "all")
    return found


def test_a_replicated_pool(do: Do, ceph_cluster: Cluster) -> None:
    code, done, _ = do("make", "test", OURS, "pg_num=8", "replicas=2", "domain=osd")
    assert (code, done["made"]) == (0, "test")
    found = settings(ceph_cluster)
    assert (found["size"], found["pg_num"]) == (2, 8)
    assert found["crush_rule"] == f"benchlab-{OURS}"
    assert ceph_cluster.health() == "HEALTH_OK"
    code, done, _ = do("delete", "test", OURS)
    assert (code, done["deleted"]) == (0, ["test"])


def test_an_erasure_coded_pool(do: Do, ceph_cluster: Cluster) -> None:
    assert do("make", "test", OURS, "pg_num=8", "k=2", "m=1", "domain=osd")[0] == 0
    profile = settings(ceph_cluster)["erasure_code_profile"]
    code = ceph_cluster.ceph("osd", "erasure-code-profile", "get", profile)
    assert (code["k"], code["m"], code["crush-failure-domain"]) == ("2", "1", "osd")
    assert do("delete", "test", OURS)[0] == 0


def test_the_cluster_says_whose_it_is(do: Do, ceph_cluster: Cluster) -> None:
    do("make", "test", OURS, "pg_num=8")
    marks = ceph_cluster.ceph("osd", "pool", "application", "get", "test")
    assert marks == {"benchlab": {"attempt": OURS}}


def test_a_pool_that_exists_is_neither_used_nor_deleted(do: Do, ceph_cluster: Cluster) -> None:
    ceph_cluster.ceph("osd", "pool", "create", "test", "8")
    try:
        code, done, complaint = do("make", "test", OURS, "pg_num=8")
        assert (code, done) == (1, None)
        assert "Pool test exists" in complaint
        assert do("delete", "test", OURS)[:2] == (
            0,
            {"deleted": [], "seconds": pytest.approx(0, abs=9)},
        )
        assert ceph_cluster.pools() == ["test"]
    finally:
        ceph_cluster.ceph("osd", "pool", "delete", "test", "test", "--yes-i-really-really-mean-it")


def test_one_attempt_does_not_delete_what_another_made(do: Do, ceph_cluster: Cluster) -> None:
    assert do("make", "test", OURS, "pg_num=8")[0] == 0
    assert "Pool test exists" in do("make", "test", OTHERS, "pg_num=8")[2]
    assert do("delete", "test", OTHERS)[1]["deleted"] == []
    assert ceph_cluster.pools() == ["test"]


def test_what_was_made_halfway_is_found_by_its_name(do: Do, ceph_cluster: Cluster) -> None:
    """As if the agent had died before the mark."""
    ceph_cluster.ceph("osd", "pool", "create", f"benchlab-{OURS}", "8")
    assert do("delete", "test", OURS)[1]["deleted"] == [f"benchlab-{OURS}"]


def test_pool_with_too_few_osds_reports_placement_groups(
    do: Do, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_setup, "CLEAN_SECONDS", 3.0)
    code, _, complaint = do("make", "test", OURS, "pg_num=8", "k=3", "m=1", "domain=osd")
    assert code == 1
    assert "not active and clean after 3 seconds" in complaint
    assert "Are there enough" in complaint


def test_where_pools_cannot_be_deleted_none_is_made(do: Do, ceph_cluster: Cluster) -> None:
    switch = ("tell", "mon.a", "config", "set", "mon_allow_pool_delete")
    ceph_cluster.ceph(*switch, "false")
    try:
        code, _, complaint = do("make", "test", OURS, "pg_num=8")
        assert code == 1
        assert "ceph config set mon mon_allow_pool_delete true" in complaint
        assert ceph_cluster.pools() == []
    finally:
        ceph_cluster.ceph(*switch, "true")


def test_invalid_options_are_refused_before_any_query(do: Do) -> None:
    for words in (
        ["make", "-x", OURS],
        ["make", "test", OURS, "size=1;rm"],
        ["drop", "test", OURS],
    ):
        assert do(*words)[0] == 1
