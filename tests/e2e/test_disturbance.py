"""A plan disturbs a real Ceph: the OSD is in again however it ends, and phases are measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.lab import add_box, assert_state, cases, ended, until
from tests.e2e.stack import JSON, ApiError, Stack, kill
from tests.harness.ceph import Cluster
from tests.harness.ceph_fixtures import let_in
from tests.harness.fixtures import no_box
from tests.harness.netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.xdist_group("ceph")]
POOL, OSD, SLEEP = "disturbed", 1, "osd_recovery_sleep"
APPROVER = "second"
_number = count(1)


class Lab(NamedTuple):
    """A running benchlab without a worker, a client of the cluster, and its pool."""

    stack: Stack
    cluster: Cluster
    host: JSON
    pool: JSON
    approver: str

    def plan(self, load: int, **fields: object) -> JSON:
        # Writes fill few objects: new ones would have to be recovered as well.
        params = {
            "operations": "write", "bs": "4k", "object_size": "4M", "threads": 2, "seconds": load,
        }  # fmt: skip
        body = {
            "name": f"disturbed {next(_number)}",
            "repeats": 1,
            "steps": [{"tool": "rados", "params": params}],
            "targets": [f"pool:{self.pool['id']}"],
            "disturbance": {
                "kind": "osd_out", "osd": OSD, "before_seconds": 3, "after_seconds": 3,
            },
        }  # fmt: skip
        made: JSON = self.stack.post("plans/", body | fields)
        return made

    def launch(self, plan: JSON) -> JSON:
        body = {"plan": plan["id"], "confirm_disturbance": POOL}
        run: JSON = self.stack.post("runs/", body)
        return run

    def approve(self, run: JSON) -> None:
        """The other disk owner approves what is asked."""
        path = f"runs/{run['id']}/approval/"
        asked = until(lambda: self.stack.get(path), lambda one: bool(one.get("digest")), 60)
        headers = {"Authorization": f"Token {self.approver}"}
        self.stack.api("POST", path, {"digest": asked["digest"], "approve": True}, **headers)

    def weight(self) -> float:
        return float(self.cluster.ceph("osd", "dump")["osds"][OSD]["weight"])


USER = f"""
from apps.accounts.models import Role, User
User.objects.get_or_create(username="{APPROVER}", defaults={{"role": Role.DISK_OWNER}})
"""


@pytest.fixture(scope="module")
def lab(stack: Stack, folder: Path, ceph_cluster: Cluster) -> Iterator[Lab]:
    if reason := no_box():
        pytest.skip(reason)
    cluster = ceph_cluster
    with ExitStack() as ending:
        cluster.ceph("osd", "pool", "create", POOL, "8", "8")
        ending.callback(cluster.delete_pools)
        cluster.ceph("osd", "pool", "set", POOL, "size", "2")
        cluster.ceph("osd", "pool", "application", "enable", POOL, "rados")
        cluster.ceph("config", "set", "osd", SLEEP, "0.05")
        ending.callback(cluster.ceph, "config", "rm", "osd", SLEEP)
        write = ("bench", "60", "write", "-b", "4096", "-t", "8", "--no-cleanup")
        cluster.run("rados", "-p", POOL, *write, "--max-objects", "150")
        box = NetnsHost(folder / "disturbed")
        ending.callback(box.stop)
        box.start()
        let_in(box, cluster)
        stack.manage("shell", "-c", USER)
        approver = stack.manage("create_token", APPROVER, "e2e", "--may-wipe").split()[-1]
        with stack.worker():
            host = add_box(stack, box, "disturbed")
        pool = stack.post("pools/", {"name": POOL, "host": host["id"]})
        yield Lab(stack, cluster, host, pool, approver)


def allow(lab: Lab, allowed: bool = True) -> None:
    lab.stack.post(f"hosts/{lab.host['id']}/cluster/", {"disturbances": allowed})


@pytest.mark.timeout(1200)
def test_worker_killed_while_the_osd_is_out(lab: Lab) -> None:
    """Nothing starts without enrolment, typed name and approval; then the agent goes on alone."""
    plan = lab.plan(50)
    body = {"plan": plan["id"], "confirm_disturbance": POOL}
    with pytest.raises(ApiError, match="allow disturbances"):
        lab.stack.post("runs/", body)
    allow(lab)
    with pytest.raises(ApiError, match="type the name of the pool"):
        lab.stack.post("runs/", {"plan": plan["id"]})
    with lab.stack.worker() as doomed:
        run = lab.launch(plan)
        lab.approve(run)
        until(lab.weight, lambda one: one == 0.0, 60, "osd out")
        kill(doomed)
    until(lab.weight, lambda one: one == 1.0, 90, "osd in")
    with lab.stack.worker():
        run = ended(lab.stack, run, 120)
    assert_state(lab.stack, run, "succeeded")
    (case,) = cases(lab.stack, run)
    (attempt,) = case["attempts"]
    record = attempt["disturbance"]
    names = [phase["name"] for phase in record["phases"]]
    if not attempt["valid"]:  # on a busy machine the recovery outlasts the load
        assert "load ended" in attempt["invalid_reason"], attempt
        return
    assert names == ["before", "degraded", "recovering", "clean", "returning", "after"]
    assert record["time_to_clean"] > 1
    assert record["recovered_bytes"] > 20 * 4096
    long = [one for one in record["phases"] if one["end"] - one["start"] > 2]
    assert all(one["iops"] is not None for one in long)
    rows = lab.stack.rows(f"series/?case={case['id']}&source=cluster")
    assert {"time_to_clean_seconds", "iops_recovering"} <= {row["metric"] for row in rows}


@pytest.mark.extended
@pytest.mark.timeout(1800)
def test_slower_recovery_gets_a_verdict_on_time_to_clean(lab: Lab) -> None:
    allow(lab)
    tunings = [
        lab.stack.post(
            "tunings/",
            {
                "name": f"Recovery sleep {value}",
                "settings": [{"kind": "ceph", "section": "osd", "name": SLEEP, "value": value}],
            },
        )["id"]
        for value in ("0.01", "0.06")
    ]
    plan = lab.plan(50, repeats=4, tunings=tunings, baseline=tunings[0])
    with lab.stack.worker():
        run = lab.launch(plan)
        lab.approve(run)
        run = ended(lab.stack, run, 1500)
    assert_state(lab.stack, run, "succeeded")
    found = lab.stack.get(f"compare/?run={run['id']}&metric=time_to_clean_seconds")
    assert '"worse"' in json.dumps(found), found
    assert lab.weight() == 1.0
