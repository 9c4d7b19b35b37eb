"""Options of monitors and MDS restart exactly these daemons; their state is checked between."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.ceph import daemons, restarts
from apps.remote.agent.ceph.daemon_names import (
    join_identities,
    names_of,
    option_daemons,
    restart_rank,
    split_identities,
)
from apps.remote.agent.ceph.daemons import process_of
from apps.remote.agent.ceph.identity import parse_daemon
from apps.remote.agent.ceph.processes import id_in_arguments
from apps.remote.agent.ceph.restarts import DaemonRestart, quorum_fault, ranks_fault
from apps.remote.agent.schema import SettingSpec
from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import until
from apps.remote.agent_tests.processes import supervisor
from apps.remote.agent_tests.restartable import Restartable
from tests.harness.ceph import Cluster

ROCKSDB, DIRFRAGS = "mon_rocksdb_options", "mds_oft_prefetch_dirfrags"
SMALL_BUFFERS = "write_buffer_size=16777216,compression=kNoCompression"
OPTIONS = {
    "mon.a": ("mons:a", ROCKSDB, SMALL_BUFFERS),
    "mds.x": ("mdss:x", DIRFRAGS, "true"),
}


@pytest.mark.parametrize(
    ("name", "services", "kinds"),
    [
        ("osd_op_num_shards", [], ["osd"]),
        ("bluestore_rocksdb_options", [], ["osd"]),
        ("mon_rocksdb_options", [], ["mon"]),
        ("mds_numa_node", ["mds"], ["mds"]),
        ("osd_op_num_shards", ["osd"], ["osd"]),
        ("fatal_signal_handlers", ["mon", "mgr", "osd", "mds"], ["mon", "osd", "mds"]),
        ("ms_type", [], ["mon", "osd", "mds"]),
        ("ms_type", ["common"], ["mon", "osd", "mds"]),
        ("rgw_thread_pool_size", ["rgw"], []),
        ("rgw_thread_pool_size", [], []),
    ],
)
def test_daemons_that_read_an_option(name: str, services: list[str], kinds: list[str]) -> None:
    assert option_daemons(name, services) == kinds


def test_identities_name_daemons_of_several_kinds_on_a_host() -> None:
    text = join_identities(["osds:0,3", "mons:node-1.a"])
    assert split_identities(text) == {"osd": "osds:0,3", "mon": "mons:node-1.a"}
    assert names_of("mons:node-1.a,b") == ["mon.node-1.a", "mon.b"]
    assert names_of("osds:1\n[mon]") == names_of("mgrs:a") == names_of("wwn:1") == []


def test_monitors_restart_first_and_osds_in_their_order() -> None:
    names = ["mds.x", "osd.10", "osd.9", "mon.b", "mon.a"]
    assert sorted(names, key=restart_rank) == ["mon.a", "mon.b", "osd.9", "osd.10", "mds.x"]


@pytest.mark.parametrize(
    ("kind", "arguments", "name"),
    [
        ("mon", "ceph-mon -f --cluster ceph --id node1 --setuser ceph", "node1"),
        ("mon", "ceph-mon -n mon.node1 -f --setuser ceph", "node1"),
        ("mds", "ceph-mds -n mds.fs.node1.abc -f", "fs.node1.abc"),
        ("osd", "ceph-osd -i3 -f", "3"),
        ("osd", "ceph-osd --id=3 -f", "3"),
        ("osd", "ceph-osd --name=osd.3 -f", "3"),
        ("osd", "ceph-osd -n client.3 -f", None),
    ],
)
def test_id_of_a_daemon_in_its_arguments(
    kind: str, arguments: str, name: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "cmdline"
    file.write_text(arguments.replace(" ", "\0") + "\0")
    monkeypatch.setattr("builtins.open", lambda *_words, o=open: o(file, "rb"))
    assert id_in_arguments("1", kind) == name


def test_monitor_in_an_election_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not restarted beside the one whose restart the election is about."""
    states = iter(["electing", "electing", "peon"])
    monkeypatch.setattr(daemons, "POLL_SECONDS", 0.0)
    monkeypatch.setattr(daemons, "process_of", lambda _name, _fsid: 1)
    monkeypatch.setattr(daemons, "daemon_state", lambda _kind, _pid: next(states, "probing"))
    assert daemons.joins_quorum("mon.a", "fsid")
    monkeypatch.setattr(daemons, "QUORUM_SECONDS", 0.0)
    assert not daemons.joins_quorum("mon.a", "fsid")


def test_monitor_outside_the_quorum_is_named() -> None:
    status: dict[str, Any] = {"quorum_names": ["a", "c"]}
    status["monmap"] = {"mons": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}
    assert quorum_fault(status) == "mon.b is not in the quorum"
    assert quorum_fault({**status, "quorum_names": ["a", "b", "c"]}) == ""


@pytest.mark.parametrize(("state", "fault"), [("up:active", ""), ("up:replay", "rank 1 of fs")])
def test_rank_that_is_not_active_is_named(state: str, fault: str) -> None:
    info = {"1": {"rank": 0, "state": "up:active"}, "2": {"rank": 1, "state": state}}
    mdsmap = {"fs_name": "fs", "in": [0, 1], "info": info}
    assert ranks_fault({"filesystems": [{"mdsmap": mdsmap}]}).startswith(fault)
    assert bool(ranks_fault({"filesystems": [{"mdsmap": mdsmap}]})) == bool(fault)


def test_daemon_of_the_metadata() -> None:
    row = {"name": "a", "hostname": "node1", "addrs": "[v2:10.0.0.1:3300/0,v1:10.0.0.1:6789/0]"}
    told = {"kind": "mon", "name": "a", "host": "node1", "addresses": ["10.0.0.1"]}
    assert parse_daemon(row, "mon") == told
    assert parse_daemon({"name": "b"}, "mds")["host"] == ""


# Real daemons

REAL = [
    pytest.mark.e2e,
    pytest.mark.needs_root,
    pytest.mark.xdist_group("ceph"),
    pytest.mark.timeout(600),
]


def want(name: str, restart: list[str]) -> SettingSpec:
    """A setting of a spec, for this daemon."""
    identity, option, value = OPTIONS[name]
    return {
        "kind": "ceph_conf", "identity": identity, "name": option, "value": value,
        "restart": restart,
    }  # fmt: skip


@pytest.fixture
def restartable(request: pytest.FixtureRequest, ceph_cluster: Cluster) -> Iterator[Restartable]:
    """A monitor or an MDS of the cluster that can be restarted."""
    name = request.param
    if name.startswith("mds"):
        if shutil.which("ceph-mds") is None:
            pytest.skip("needs ceph-mds (package ceph-mds)")
        ceph_cluster.add_mds("x")
    found = Restartable(ceph_cluster, name)
    try:
        yield found
    finally:
        found.stop()
        if name.startswith("mds"):
            ceph_cluster.remove_mds("x")


@pytest.fixture
def member(base: Path, ceph_cluster: Cluster) -> Iterator[Client]:
    with Client(base, {"HOME": str(ceph_cluster.home)}) as session:
        yield session


def other_processes(cluster: Cluster) -> list[int | None]:
    return [process_of(f"osd.{number}", cluster.fsid) for number in range(3)]


@pytest.mark.parametrize(
    "restartable",
    ["mon.a", pytest.param("mds.x", marks=pytest.mark.extended)],
    indirect=True,
)
class TestRealDaemons:
    pytestmark = REAL

    def test_option_is_in_force_during_the_test_and_gone_after_it(
        self, restartable: Restartable, member: Client
    ) -> None:
        """Exactly this daemon is restarted, twice."""
        cluster, name = restartable.cluster, restartable.name
        _identity, option, value = OPTIONS[name]
        first, others, original = restartable.pid, other_processes(cluster), ""
        original = restartable.option(option)
        attempt = member.start(["sleep", "600"], tuning=[want(name, restartable.restart)])
        until(lambda: restartable.pid not in (None, first), 120)
        until(lambda: member.good("status", attempt=attempt).get("phase") == "running", 120)
        second = restartable.pid
        assert restartable.option(option) == value
        member.good("cancel", attempt=attempt)
        done = member.good("wait", attempt=attempt)
        (row,) = [row for row in done["exit"]["tuning"]["effective"] if row["name"] == option]
        shown = [row[key] for key in ("identity", "requested", "before", "value", "after")]
        assert shown == [name, value, original, value, original]
        assert len({first, second, restartable.pid}) == 3
        assert other_processes(cluster) == others
        assert cluster.config.read_bytes() == restartable.original
        assert cluster.health() == "HEALTH_OK"

    def test_supervisor_killed_during_a_restart_leaves_nothing(
        self, restartable: Restartable, member: Client
    ) -> None:
        cluster, name = restartable.cluster, restartable.name
        option = OPTIONS[name][1]
        original, first = restartable.option(option), restartable.pid
        tuning = [want(name, restartable.restart)]
        attempt = member.start(["sleep", "600"], tuning=tuning, lease=1.0)
        until(lambda: restartable.pid != first, 120)
        os.kill(supervisor(member, attempt), signal.SIGKILL)
        member.close()
        journal = member.base / "jobs" / attempt / "tuning-journal.json"
        until(lambda: json.loads(journal.read_text())["state"] == "closed", 240)
        restartable.wait_until_healthy()
        assert restartable.option(option) == original
        assert cluster.config.read_bytes() == restartable.original
        assert "benchlab/restart" not in str(cluster.ceph("config-key", "ls"))


@pytest.mark.parametrize("restartable", ["mon.a"], indirect=True)
class TestLostQuorum:
    pytestmark = REAL

    def test_monitor_that_does_not_run_is_started_without_the_lock(
        self, restartable: Restartable, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nobody gets the lock of a cluster without quorum, so restoring must not wait for it."""
        cluster = restartable.cluster
        monkeypatch.setenv("HOME", str(cluster.home))
        monkeypatch.setattr(daemons, "QUORUM_SECONDS", 2.0)
        restartable.end_for_good()
        assert restartable.pid is None
        start = ["env", f"CEPH_CONF={cluster.config}", "ceph-mon", "-i", "a"]
        restarts.restart_daemons({"mon.a": DaemonRestart(cluster.fsid, [start], lambda: True)})
        pid = restartable.pid
        assert pid is not None
        assert cluster.health() == "HEALTH_OK"
        os.kill(pid, signal.SIGTERM)
        until(lambda: restartable.pid is None)
