"""A job disturbs a real cluster; however it ends, the OSD is in and runs again."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.ceph.daemons import is_ready, process_of
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.loops import alive, until
from apps.remote.agent_tests.processes import running, supervisor
from apps.remote.agent_tests.restartable import END
from tests.harness.ceph import TETHER, Cluster

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("ceph"), pytest.mark.timeout(240)]
POOL, OSD = "disturbed", 1
SLEEP = "osd_recovery_sleep"


@pytest.fixture
def cluster(ceph_cluster: Cluster) -> Iterator[Cluster]:
    """The cluster with a pool of some objects, whose recovery takes a few seconds."""
    ceph_cluster.ceph("osd", "pool", "create", POOL, "8", "8")
    ceph_cluster.ceph("osd", "pool", "set", POOL, "size", "2")
    ceph_cluster.ceph("osd", "pool", "application", "enable", POOL, "rados")
    ceph_cluster.ceph("config", "set", "osd", SLEEP, "0.05")
    write = ("bench", "60", "write", "-b", "4096", "-t", "8", "--no-cleanup")
    ceph_cluster.run("rados", "-p", POOL, *write, "--max-objects", "150")
    ceph_cluster.wait_for(lambda: is_clean(ceph_cluster))
    yield ceph_cluster
    ceph_cluster.ceph("osd", "in", str(OSD))
    ceph_cluster.ceph("config", "rm", "osd", SLEEP)
    ceph_cluster.delete_pools()
    ceph_cluster.wait_for(lambda: ceph_cluster.health() == "HEALTH_OK")


@pytest.fixture
def member(base: Path, cluster: Cluster) -> Iterator[Client]:
    with Client(base, {"HOME": str(cluster.home)}) as session:
        yield session


def is_clean(cluster: Cluster) -> bool:
    rows = cluster.ceph("status")["pgmap"]["pgs_by_state"]
    return [row["state_name"] for row in rows] == ["active+clean"]


def weight(cluster: Cluster) -> float:
    return float(cluster.ceph("osd", "dump")["osds"][OSD]["weight"])


def disturbance(cluster: Cluster, **more: Any) -> dict[str, Any]:
    return {
        "kind": "osd_out", "command": 0, "fsid": cluster.fsid, "osd": OSD, "pool": POOL,
        "before": 1, "down": 2, "after": 2, "timeout": 90, **more,
    }  # fmt: skip


def log_of(client: Client, attempt: str) -> list[Message]:
    raw = client.read(attempt, "disturbance.log")
    return [json.loads(line) for line in raw.splitlines()]


def until_done(client: Client, attempt: str) -> list[str]:
    """End the load after the disturbance; the marks in their order."""
    path = client.base / "jobs" / attempt / "disturbance.log"

    def over() -> bool:
        text = path.read_text() if path.exists() else ""
        return '"mark":"done"' in text or '"mark":"aborted"' in text

    until(over, 150)
    client.good("cancel", attempt=attempt)
    return [row["mark"] for row in log_of(client, attempt) if "mark" in row]


@pytest.mark.extended
def test_osd_is_out_until_the_cluster_is_clean(member: Client, cluster: Cluster) -> None:
    attempt = member.start(["sleep", "200"], disturbance=disturbance(cluster))
    marks = until_done(member, attempt)
    assert marks == ["disturbed", "clean", "restored", "returned", "done"]
    samples = [row for row in log_of(member, attempt) if "pgs" in row]
    assert max(row["degraded"] + row["misplaced"] for row in samples) > 20
    assert samples[-1]["moved"] - samples[0]["moved"] > 20 * 4096
    assert weight(cluster) == 1.0
    status = member.good("status", attempt=attempt)
    assert status["journal"]["state"] == "closed"
    assert status["exit"]["tuning"]["failed"] == []
    assert status["exit"]["tuning"]["changed"] == []
    assert [row for row in status["exit"]["tuning"]["effective"] if row["kind"] == "ceph_osd"] == []


def out(member: Client, cluster: Cluster, **more: Any) -> str:
    """A job whose OSD is out, and stays out for long."""
    wanted = disturbance(cluster, after=80)
    attempt = member.start(["sleep", "200"], disturbance=wanted, **more)
    until(lambda: weight(cluster) == 0.0, 60)
    return attempt


def processes(base: Path) -> list[int]:
    """The agent's processes: session, supervisor, disturber and restorer."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            around = (folder / "environ").read_bytes().decode("utf-8", "replace")
            words = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
        if f"BENCHLAB_AGENT_DIR={base}\0" in around and "serve" in words and alive(folder.name):
            found.append(int(folder.name))
    return found


def end_load(member: Client, attempt: str) -> None:
    for pid in running(member, attempt):
        os.kill(pid, signal.SIGKILL)


def require_in(member: Client, cluster: Cluster, attempt: str) -> None:
    """The OSD is in again, and the journal is closed."""
    until(lambda: weight(cluster) == 1.0, 60)
    member.good("restore_settings", attempts=[])
    until(lambda: member.good("status", attempt=attempt)["journal"]["state"] == "closed", 30)


@pytest.mark.parametrize("is_cancelled", [True, False])
def test_osd_is_in_again_after_the_end_of_the_load(
    member: Client, cluster: Cluster, is_cancelled: bool
) -> None:
    attempt = out(member, cluster)
    if is_cancelled:
        member.good("cancel", attempt=attempt)
    else:
        end_load(member, attempt)
        member.good("wait", attempt=attempt)
    assert weight(cluster) == 1.0
    require_in(member, cluster, attempt)


def test_osd_is_in_again_when_the_supervisor_is_killed(member: Client, cluster: Cluster) -> None:
    """The tool runs on and holds the job's lock; the disturber does not wait for it."""
    attempt = out(member, cluster, lease=1.0)
    os.kill(supervisor(member, attempt), signal.SIGKILL)
    until(lambda: weight(cluster) == 1.0, 60)
    end_load(member, attempt)
    require_in(member, cluster, attempt)


def test_osd_is_in_again_when_all_are_killed(member: Client, cluster: Cluster, base: Path) -> None:
    """The next session restores."""
    attempt = out(member, cluster, lease=1.0)
    for pid in [*processes(base), *running(member, attempt)]:
        if pid != member.process.pid:
            os.kill(pid, signal.SIGKILL)
    assert weight(cluster) == 0.0
    with Client(base, {"HOME": str(cluster.home)}):
        until(lambda: weight(cluster) == 1.0, 60)
    require_in(member, cluster, attempt)


def test_cluster_with_a_flag_is_not_touched(member: Client, cluster: Cluster) -> None:
    cluster.ceph("osd", "set", "noout")
    try:
        status = member.run(["sleep", "200"], disturbance=disturbance(cluster))
    finally:
        cluster.ceph("osd", "unset", "noout")
    assert status["state"] == "refused"
    assert status["refused"]["reasons"] == [
        "Disturbance: the cluster has the flag noout; unset it first."
    ]
    assert weight(cluster) == 1.0


@pytest.mark.extended
def test_deep_scrub_of_a_pool(member: Client, cluster: Cluster) -> None:
    wanted = disturbance(cluster, kind="deep_scrub")
    attempt = member.start(["sleep", "200"], disturbance=wanted)
    assert until_done(member, attempt) == ["disturbed", "clean", "done"]


@pytest.mark.extended
@pytest.mark.needs_root
def test_osd_stops_and_starts(member: Client, cluster: Cluster) -> None:
    script = cluster.folder / "end.py"
    script.write_text(END)
    stop = [sys.executable, str(script), str(cluster.config), "osd.{id}"]
    words = " ".join([*TETHER[:1], "--", *cluster.command("osd.{id}")])
    start = ["sh", "-c", f"CEPH_CONF={cluster.config} setsid {words} >/dev/null 2>&1 &"]
    wanted = disturbance(cluster, kind="osd_stop", stop=stop, start=start)
    try:
        attempt = member.start(["sleep", "200"], disturbance=wanted)
        marks = until_done(member, attempt)
        assert marks == ["disturbed", "restored", "clean", "done"]
        assert is_ready("osd", process_of(f"osd.{OSD}", cluster.fsid))
        assert member.good("status", attempt=attempt)["journal"]["state"] == "closed"
    finally:
        pid = process_of(f"osd.{OSD}", cluster.fsid)
        if pid:
            os.kill(pid, signal.SIGTERM)
            until(lambda: not alive(pid), 30)
        cluster.daemons.pop(f"osd.{OSD}").wait(20)
        cluster.start_osd(OSD)
