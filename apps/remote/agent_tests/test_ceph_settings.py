"""Options of Ceph are lent against a real cluster: its own database is what is read and written."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.remote.agent.ceph.mon_connection import MonResponse
from apps.remote.agent.schema import SettingSpec
from apps.remote.agent.tuning import ceph_settings
from apps.remote.agent.tuning.ceph_settings import CephKind
from apps.remote.agent.tuning.setting import requested_value
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import until
from apps.remote.agent_tests.processes import kill, running, supervisor
from tests.harness.ceph import Cluster

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("ceph"), pytest.mark.timeout(120)]
BACKFILLS, SLEEP, MEMORY = "osd_max_backfills", "osd_recovery_sleep", "osd_memory_target"


def want(name: str, value: str | int, section: str = "osd") -> SettingSpec:
    """A setting of a spec."""
    return {"kind": "ceph", "identity": section, "name": name, "value": str(value)}


def database(cluster: Cluster) -> dict[str, str]:
    """The cluster's configuration database: "osd/osd_max_backfills" and its value."""
    rows = cluster.ceph("config", "dump")
    return {f"{row['section']}/{row['name']}": row["value"] for row in rows}


@pytest.fixture
def cluster(ceph_cluster: Cluster) -> Iterator[Cluster]:
    """The cluster with an empty database, and left so."""
    yield ceph_cluster
    for row in ceph_cluster.ceph("config", "dump"):
        mask = f"/{row['mask']}" if row["mask"] else ""
        ceph_cluster.ceph("config", "rm", row["section"] + mask, row["name"])


@pytest.fixture
def member(base: Path, cluster: Cluster) -> Iterator[Client]:
    """A session on a host that is a client of the cluster."""
    with Client(base, {"HOME": str(cluster.home)}) as session:
        yield session


def test_an_option_holds_during_the_run_and_is_unset_again(
    member: Client, cluster: Cluster
) -> None:
    # An OSD says what it has been told some seconds later.
    told = f"until ceph config show osd.0 {BACKFILLS} | grep -x 3; do sleep 0.2; done"
    done = member.run(["sh", "-c", told], tuning=[want(BACKFILLS, 3)])
    assert member.read(done["attempt"], "stdout") == b"3\n"
    tuning = done["exit"]["tuning"]
    short = {"kind": "ceph", "identity": "osd", "name": BACKFILLS}
    assert tuning["applied"] == [{**short, "value": "3"}]
    assert tuning["restored"] == [{**short, "value": "(not set)"}]
    assert (tuning["changed"], tuning["conflicts"], tuning["failed"]) == ([], [], [])
    assert database(cluster) == {}


def test_what_was_set_before_comes_back(member: Client, cluster: Cluster) -> None:
    cluster.ceph("config", "set", "osd.1", SLEEP, "0.25")
    cluster.ceph("config", "set", "global", BACKFILLS, "2")
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


MANY = [
    want(BACKFILLS, 3),
    want(MEMORY, "3G"),
    *(want(f"osd_{name}", 20) for name in ("map_message_max", "op_complaint_time")),
    want("osd_scrub_sleep", "0.2", "osd.1"),
    want("client_mountpoint", "-f -i size=2048", "client"),
    want("client_trace", "--help", "client"),
]


@pytest.fixture(params=["the binding", "the command alone"])
def way(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Environments in which `ceph` is a Python program, and in which it is something else."""
    if request.param == "the binding":
        return {}
    wrapper = tmp_path / "ceph"
    wrapper.write_text('#!/bin/sh\nexec /usr/bin/ceph "$@"\n')
    wrapper.chmod(0o755)
    return {"BENCHLAB_TOOLS_PATH": str(tmp_path)}


def test_many_options_are_applied_and_restored(
    base: Path, cluster: Cluster, way: dict[str, str]
) -> None:
    cluster.ceph("config", "set", "osd", BACKFILLS, "2")
    before = database(cluster)
    argv = ["/usr/bin/ceph", "config", "dump", "--format", "json"]
    with Client(base, {"HOME": str(cluster.home), **way}) as session:
        done = session.run(argv, tuning=MANY)
        assert done["exit"], done["refused"]
        rows = json.loads(session.read(done["attempt"], "stdout"))
    found = {row["name"]: row["value"] for row in rows}
    assert found["client_mountpoint"] == "-f -i size=2048"
    assert found["client_trace"] == "--help"
    assert found[BACKFILLS] == "3"
    assert len(found) == len(done["exit"]["tuning"]["restored"]) == len(MANY)
    assert database(cluster) == before


def test_as_many_questions_for_many_as_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is a process that has to find the cluster, which takes a second or more."""
    asked: list[str] = []
    values: dict[str, str] = {}

    def answered(commands: list[Message]) -> list[MonResponse]:
        asked.append(commands[0]["prefix"])
        for one in commands:
            if one["prefix"] == "config set":
                values[one["name"]] = one["value"]
        rows = [{"section": "osd", "name": name, "value": v} for name, v in values.items()]
        return [
            MonResponse(json.dumps(rows if "dump" in one["prefix"] else {})) for one in commands
        ]

    monkeypatch.setattr(ceph_settings, "send_commands", answered)
    counts = []
    for number in (1, 20):
        asked.clear()
        kind = CephKind()
        entries = kind.snapshot([want(f"osd_option_{n}", n) for n in range(number)])
        assert kind.write_all([(one, requested_value(one)) for one in entries]) == [""] * number
        assert [kind.read(entry) for entry in entries] == [str(n) for n in range(number)]
        kind.verify(entries)
        counts.append(list(asked))
    assert counts[0] == counts[1] == [
        "config help", "config dump", "config set", "config dump", "config get",
    ]  # fmt: skip


def test_one_wrong_value_of_many_is_named_and_all_are_put_back(
    member: Client, cluster: Cluster
) -> None:
    done = member.run(["echo", "ran"], tuning=[*MANY, want("osd_recovery_max_active", "many")])
    (reason,) = done["refused"]["reasons"]
    assert "osd_recovery_max_active" in reason
    assert database(cluster) == {}


WRONG = [
    (want("osd_no_such_option", 1), "has no option osd_no_such_option"),
    (want("osd_op_num_shards", 8), "only when daemons are restarted"),
    (want(BACKFILLS, "many"), "unit prefix not recognized"),
    (want(MEMORY, 5), "below minimum"),
    (want(BACKFILLS, 3, "osd/class:hdd"), "is no section"),
    (want("auth_client_required", "none", "global"), "not an option of Ceph that can be applied"),
    (want(BACKFILLS, "--force"), "unit prefix not recognized"),
    (want("-h", 1), "not an option of Ceph"),
]


@pytest.mark.parametrize(("item", "said"), WRONG)
def test_what_the_cluster_cannot_take_is_refused_and_put_back(
    member: Client, cluster: Cluster, item: Message, said: str
) -> None:
    done = member.run(["echo", "ran"], tuning=[want(SLEEP, "0.1", "osd.2"), item])
    assert any(said in reason for reason in done["refused"]["reasons"]), done["refused"]
    assert database(cluster) == {}
    assert member.read(done["attempt"], "stdout") == b""


def test_option_with_narrower_override_is_refused(member: Client, cluster: Cluster) -> None:
    cluster.ceph("config", "set", "osd/class:hdd", BACKFILLS, "7")
    before = cluster.ceph("config", "dump")
    done = member.run(["echo", "ran"], tuning=[want(BACKFILLS, 3)])
    assert "a narrower section is set" in done["refused"]["reasons"][0]
    assert cluster.ceph("config", "dump") == before


def test_recover_gives_back_also_after_a_restart_of_the_host(
    member: Client, cluster: Cluster, gate: Gate
) -> None:
    """The cluster keeps its options, whatever host of it was restarted."""
    attempt = member.start(gate.argv, tuning=[want(BACKFILLS, 4)], lease=600)
    running(member, attempt)
    os.kill(supervisor(member, attempt), signal.SIGKILL)
    gate.open()
    member.good("wait", attempt=attempt)
    journal = member.base / "jobs" / attempt / "tuning-journal.json"
    journal.write_text(json.dumps({**json.loads(journal.read_text()), "boot_id": "earlier"}))
    assert database(cluster) == {f"osd/{BACKFILLS}": "4"}
    (restored,) = member.good("restore_settings", attempts=[attempt])["restored"]
    assert (restored["kind"], restored["value"]) == ("ceph", "(not set)")
    assert database(cluster) == {}


def test_the_keeper_alone_gives_back(member: Client, cluster: Cluster) -> None:
    attempt = member.start(["sleep", "60"], tuning=[want(BACKFILLS, 4)], lease=1.0)
    (pid,) = running(member, attempt)
    os.kill(supervisor(member, attempt), signal.SIGKILL)
    kill(pid)
    member.close()
    until(lambda: database(cluster) == {})


def test_value_set_by_another_process_is_a_conflict(
    member: Client, cluster: Cluster, gate: Gate
) -> None:
    attempt = member.start(gate.argv, tuning=[want(BACKFILLS, 4)])
    running(member, attempt)
    cluster.ceph("config", "set", "osd", BACKFILLS, "9")
    gate.open()
    tuning = member.good("wait", attempt=attempt)["exit"]["tuning"]
    (changed,), (conflict,) = tuning["changed"], tuning["conflicts"]
    assert (changed["expected"], changed["actual"]) == ("4", "9")
    assert (conflict["original"], conflict["actual"]) == ("(not set)", "9")
    assert database(cluster) == {f"osd/{BACKFILLS}": "9"}


def test_a_cancel_waits_until_the_cluster_has_its_options_back(
    member: Client, cluster: Cluster
) -> None:
    attempt = member.start(["sleep", "60"], tuning=[want(BACKFILLS, 4), want(SLEEP, "0.1")])
    running(member, attempt)
    answer = member.good("cancel", attempt=attempt, grace=0.1)
    assert (answer["survivors"], answer["state"]) == ([], "done")
    assert database(cluster) == {}


def test_settings_without_cluster_are_refused(base: Path, tmp_path: Path) -> None:
    with Client(base, {"HOME": str(tmp_path)}) as client:
        done = client.run(["echo", "ran"], tuning=[want(BACKFILLS, 3)])
    assert done["refused"]["reasons"][0].startswith("Tuning: ceph ")


@pytest.mark.parametrize(
    ("asked", "kept"),
    [("4G", "4294967296"), ("0.5", "0.500000"), ("no", "no"), ("1", "true"), ("1/5", "1/5")],
)
def test_a_value_is_the_same_however_ceph_writes_it(asked: str, kept: str) -> None:
    assert CephKind().is_equal(asked, kept)
    assert not CephKind().is_equal(asked, "(not set)")
    assert not CephKind().is_equal(asked, "17")
