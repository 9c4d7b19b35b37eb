"""An OSD of another host than the client's stops under load; its own agent starts it again."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from apps.remote.agent_tests.restartable import END
from tests.e2e.lab import assert_state, cases, ended, until
from tests.e2e.stack import kill
from tests.e2e.test_behind_a_pool import Behind, alone, behind, cluster
from tests.e2e.test_disturbance import APPROVER, USER, Lab

__all__ = ["alone", "behind", "cluster"]  # pytest finds fixtures by their names here

pytestmark = [
    *(pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.extended),
    *(pytest.mark.xdist_group("ceph"), pytest.mark.timeout(900)),
]
OSD = 3
NAMES = ("client-of-osds", "first-osd-host", "second-osd-host")


@pytest.fixture
def lab(alone: Behind) -> Lab:
    """The OSD runs on the first OSD host, and only the admin's commands start it."""
    stack, ceph = alone.stack, alone.cluster
    script = ceph.folder / "end.py"
    script.write_text(END)
    config, keyring = (f"{ceph.folder}/osd.{{id}}{end}" for end in (".conf", "/keyring"))
    words = f"ceph-osd -f -i {{id}} --keyring {keyring}"
    stop = f"/usr/bin/python3 {script} {config} osd.{{id}}"
    start = f"CEPH_CONF={config} setsid {words} >/dev/null 2>&1 &"
    outer = ceph.daemons[f"osd.{OSD}"].pid
    loop = int(Path(f"/proc/{outer}/task/{outer}/children").read_text().split()[0])
    os.kill(loop, signal.SIGKILL)
    alone.boxes[0].inside(*stop.format(id=OSD).split())
    # It says that it is down before it ends, and holds its disk until then.
    until(lambda: is_running(alone), lambda runs: not runs, 60, "OSD ended")
    alone.boxes[0].inside("sh", "-c", start.format(id=OSD))
    until(lambda: is_up(alone), bool, 60, "OSD up")
    stack.manage("shell", "-c", USER)
    approver = stack.manage("create_token", APPROVER, "e2e", "--may-wipe").split()[-1]
    body = {"disturbances": True, "stop": stop, "start": f'sh -c "{start}"'}
    stack.post(f"hosts/{alone.client['id']}/cluster/", body)
    return Lab(stack, ceph, alone.client, alone.pool, approver)


def is_running(place: Behind) -> bool:
    return bool(place.boxes[0].inside("sh", "-c", "pgrep -x ceph-osd || true").strip())


def is_up(lab: Behind | Lab) -> bool:
    rows = lab.cluster.ceph("osd", "dump")["osds"]
    return next(bool(row["up"]) for row in rows if row["osd"] == OSD)


def test_worker_killed_while_the_osd_is_stopped(lab: Lab) -> None:
    """The agent of the OSD's host goes on alone; the next worker collects both hosts' files."""
    wanted = {"kind": "osd_stop", "osd": OSD, "before_seconds": 2, "down_seconds": 10}
    plan = lab.plan(75, disturbance=wanted | {"after_seconds": 2})
    with lab.stack.worker() as doomed:
        body = {"plan": plan["id"], "confirm_disturbance": lab.pool["name"]}
        run = lab.stack.post("runs/", body)
        lab.approve(run)
        until(lambda: is_up(lab), lambda up: not up, 90, "OSD down")
        kill(doomed)
    until(lambda: is_up(lab), bool, 90, "OSD up without a worker")
    with lab.stack.worker():
        run = ended(lab.stack, run, 180)
    assert_state(lab.stack, run, "succeeded")
    (case,) = cases(lab.stack, run)
    (attempt,) = case["attempts"]
    assert is_up(lab)
    if not attempt["valid"]:  # on a busy machine the recovery outlasts the load
        assert "load ended" in attempt["invalid_reason"], attempt
        return
    names = [phase["name"] for phase in attempt["disturbance"]["phases"]]
    assert (names[0], names[-1]) == ("before", "after")
    assert "degraded" in names
