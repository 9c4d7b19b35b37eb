"""Options of Ceph are lent against a real cluster: its own database is what is read and written."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.remote.agent.ceph_settings import CephKind
from apps.remote.agent_tests.client import JSON, Client
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import until
from apps.remote.agent_tests.test_liveness import named, supervisor
from tests.harness.ceph import Cluster

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("ceph"), pytest.mark.timeout(120)]
BACKFILLS, SLEEP, MEMORY = "osd_max_backfills", "osd_recovery_sleep", "osd_memory_target"


def want(name: str, value: str | int, section: str = "osd") -> JSON:
    """A tuning entry of a spec."""
    return {"kind": "ceph", "identity": section, "name": name, "value": value}


def database(cluster: Cluster) -> dict[str, str]:
    """What the cluster's configuration database holds: "osd/osd_max_backfills" and its value."""
    rows = cluster.ceph("config", "dump")
    return {f"{row['section']}/{row['name']}": row["value"] for row in rows}


@pytest.fixture
def cluster(ceph_cluster: Cluster) -> Iterator[Cluster]:
    """The cluster with an empty database, and left so."""
    yield ceph_cluster
    for row in ceph_cluster.ceph("config", "dump"):
        mask = f"/{row['mask']}" if row["mask"] else ""
        ceph_cluster.run("ceph", "config", "rm", row["section"] + mask, row["name"])


@pytest.fixture
def member(base: Path, cluster: Cluster) -> Iterator[Client]:
    """A session on a host that is a client of the cluster."""
    with Client(base, {"HOME": str(cluster.home)}) as session:
        yield session


def test_an_option_holds_during_the_run_and_is_unset_again(
    member: Client, cluster: Cluster
) -> None:
    done = member.run(
        ["ceph", "config", "show", "osd.0", BACKFILLS], settle=1.0, tuning=[want(BACKFILLS, 3)]
    )
    assert member.read(done["attempt"], "stdout") == b"3\n"
    tuning = done["exit"]["tuning"]
    short = {"kind": "ceph", "identity": "osd", "name": BACKFILLS}
    assert tuning["applied"] == [{**short, "value": "3"}]
    assert tuning["restored"] == [{**short, "value": "(not set)"}]
    assert (tuning["changed"], tuning["conflicts"], tuning["failed"]) == ([], [], [])
    assert database(cluster) == {}


def test_what_was_set_before_comes_back(member: Client, cluster: Cluster) -> None:
    cluster.run("ceph", "config", "set", "osd.1", SLEEP, "0.25")
    cluster.run("ceph", "config", "set", "global", BACKFILLS, "2")
    before = database(cluster)
    tuning = [want(SLEEP, "0.5", "osd.1"), want(BACKFILLS, 5, "global"), want(MEMORY, "3G")]
    done = member.run(["ceph", "config", "dump", "--format", "json"], tuning=tuning)
    assert done["exit"]["codes"] == [0], done
    rows = json.loads(member.read(done["attempt"], "stdout"))
    assert {(row["section"], row["name"], row["value"]) for row in rows} == {
        ("osd.1", SLEEP, "0.500000"),
        ("global", BACKFILLS, "5"),
        ("osd", MEMORY, str(3 << 30)),
    }
    assert database(cluster) == before


WRONG = [
    (want("osd_no_such_option", 1), "has no option osd_no_such_option"),
    (want("osd_op_num_shards", 8), "only when daemons are restarted"),
    (want(BACKFILLS, "many"), "unit prefix not recognized"),
    (want(MEMORY, 5), "below minimum"),
    (want(BACKFILLS, 3, "osd/class:hdd"), "is no section"),
    (want("auth_client_required", "none", "global"), "not an option of Ceph that can be lent"),
    (want(BACKFILLS, "--force"), "is no value"),
    (want("-h", 1), "not an option of Ceph"),
]


@pytest.mark.parametrize(("item", "said"), WRONG)
def test_what_the_cluster_cannot_take_is_refused_and_put_back(
    member: Client, cluster: Cluster, item: JSON, said: str
) -> None:
    done = member.run(["echo", "ran"], tuning=[want(SLEEP, "0.1", "osd.2"), item])
    assert any(said in reason for reason in done["refused"]["reasons"]), done["refused"]
    assert database(cluster) == {}
    assert member.read(done["attempt"], "stdout") == b""


def test_something_narrower_that_is_set_goes_first_and_is_said(
    member: Client, cluster: Cluster
) -> None:
    cluster.run("ceph", "config", "set", "osd/class:hdd", BACKFILLS, "7")
    before = cluster.ceph("config", "dump")
    done = member.run(["echo", "ran"], tuning=[want(BACKFILLS, 3)])
    assert "something narrower is set" in done["refused"]["reasons"][0]
    assert cluster.ceph("config", "dump") == before


def test_recover_gives_back_also_after_a_restart_of_the_host(
    member: Client, cluster: Cluster, gate: Gate
) -> None:
    """The cluster keeps its options, whatever host of it was restarted."""
    attempt = member.start(gate.argv, tuning=[want(BACKFILLS, 4)], lease=600)
    until(lambda: named(attempt))
    os.kill(supervisor(member, attempt), signal.SIGKILL)
    gate.open()
    member.good("wait", attempt=attempt)
    journal = member.base / "jobs" / attempt / "loan.json"
    journal.write_text(json.dumps({**json.loads(journal.read_text()), "boot_id": "earlier"}))
    assert database(cluster) == {f"osd/{BACKFILLS}": "4"}
    (restored,) = member.good("recover", attempts=[attempt])["restored"]
    assert (restored["kind"], restored["value"]) == ("ceph", "(not set)")
    assert database(cluster) == {}


def test_the_keeper_alone_gives_back(member: Client, cluster: Cluster) -> None:
    attempt = member.start(["sleep", "60"], tuning=[want(BACKFILLS, 4)], lease=1.0)
    (pid,) = until(lambda: named(attempt))
    os.kill(supervisor(member, attempt), signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)
    member.close()
    until(lambda: database(cluster) == {})


def test_what_somebody_else_set_is_reported_and_kept(
    member: Client, cluster: Cluster, gate: Gate
) -> None:
    attempt = member.start(gate.argv, tuning=[want(BACKFILLS, 4)])
    until(lambda: named(attempt))
    cluster.run("ceph", "config", "set", "osd", BACKFILLS, "9")
    gate.open()
    tuning = member.good("wait", attempt=attempt)["exit"]["tuning"]
    (changed,), (conflict,) = tuning["changed"], tuning["conflicts"]
    assert (changed["expected"], changed["found"]) == ("4", "9")
    assert (conflict["original"], conflict["found"]) == ("(not set)", "9")
    assert database(cluster) == {f"osd/{BACKFILLS}": "9"}


def test_a_cancel_waits_until_the_cluster_has_its_options_back(
    member: Client, cluster: Cluster
) -> None:
    attempt = member.start(["sleep", "60"], tuning=[want(BACKFILLS, 4), want(SLEEP, "0.1")])
    until(lambda: named(attempt))
    answer = member.good("cancel", attempt=attempt, grace=0.1)
    assert (answer["survivors"], answer["state"]) == ([], "done")
    assert database(cluster) == {}


def test_without_a_cluster_nothing_is_lent(base: Path, tmp_path: Path) -> None:
    with Client(base, {"HOME": str(tmp_path)}) as client:
        done = client.run(["echo", "ran"], tuning=[want(BACKFILLS, 3)])
    assert done["refused"]["reasons"][0].startswith("Tuning: ceph ")


@pytest.mark.parametrize(
    ("asked", "kept"),
    [("4G", "4294967296"), ("0.5", "0.500000"), ("no", "no"), ("1", "true"), ("1/5", "1/5")],
)
def test_a_value_is_the_same_however_ceph_writes_it(asked: str, kept: str) -> None:
    assert CephKind().same(asked, kept)
    assert not CephKind().same(asked, "(not set)")
    assert not CephKind().same(asked, "17")
