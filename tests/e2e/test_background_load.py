"""A test beside a background load, on real fio behind a real sshd: measured, killed, cancelled."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import READ, assert_state, cases, ended, launch, until
from tests.e2e.stack import JSON

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.extended]

LOAD = {"rw": "write", "bs": "64k", "iodepth": 2, "size": "16M", "runtime": 5, "rate_iops": 40}


def plan_with_load(lab: Lab, **fields: object) -> JSON:
    """A plan of a small read beside writes of the same disk."""
    load = {"tool": "fio", "params": LOAD, "role": "background", "settle_seconds": 1.0}
    body = {
        "name": f"beside {os.urandom(4).hex()}",
        "repeats": 1,
        "steps": [{"tool": "fio", "params": READ | {"runtime": 6}}, load],
        "targets": [f"disk:{lab.disk['id']}"],
    }
    made: JSON = lab.stack.post("plans/", body | fields)
    return made


def processes(lab: Lab, rw: str) -> list[int]:
    """The processes of fio in the box that do this."""
    return [
        pid
        for pid in lab.box.pids_of("fio")
        if f"--rw={rw}".encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    ]


def both_run(lab: Lab) -> list[int]:
    """The processes of the load, once those of the test run beside them."""

    def look() -> list[int]:
        return processes(lab, "write") if processes(lab, "randread") else []

    return until(look, bool, 150, "the test beside its load")


def of_load(lab: Lab, run: JSON) -> JSON:
    """The run's case beside the load."""
    return next(case for case in cases(lab.stack, run) if "background" in case["params"])


def test_read_with_and_without_load_has_two_levels(lab: Lab) -> None:
    plan = plan_with_load(lab)
    with lab.stack.worker(crash_point="background-settled") as doomed:
        run = launch(lab.stack, plan)
        assert doomed.wait(120) == -9, lab.stack.log("worker")
    with lab.stack.worker():
        run = ended(lab.stack, run)
    assert_state(lab.stack, run, "succeeded")
    case = of_load(lab, run)
    report = case["attempts"][0]["background"]
    assert not report.get("fault")
    assert report["ahead_seconds"] >= 1.0
    assert [one["operation"] for one in report["figures"]] == ["write"]
    assert report["figures"][0]["iops"] == pytest.approx(40, rel=0.5)
    rows = lab.stack.rows(f"measurements/?run={run['id']}")
    assert [row["operation"] for row in rows] == ["read", "read"]
    compared = lab.stack.get(f"compare/?run={run['id']}&factor=param:background")
    assert len(compared["levels"]) == 2, compared
    assert not lab.box.pids_of("fio")


def test_a_killed_load_invalidates_the_test_and_is_repeated(lab: Lab) -> None:
    """The second attempt begins by itself; here it is cancelled."""
    with lab.stack.worker():
        run = launch(lab.stack, plan_with_load(lab, order="listed"))
        for pid in both_run(lab):
            with contextlib.suppress(ProcessLookupError):  # ended since the list was read
                os.kill(pid, signal.SIGKILL)
        until(lambda: len(of_load(lab, run)["attempts"]), lambda count: count == 2, 60, "repeated")
        attempt = min(of_load(lab, run)["attempts"], key=lambda one: int(one["number"]))
        assert attempt["state"] == "failed"
        assert not attempt["valid"]
        assert "background load" in attempt["invalid_reason"], attempt["invalid_reason"]
        assert "SIGKILL" in attempt["invalid_reason"], attempt["invalid_reason"]
        assert both_run(lab)
        lab.stack.post(f"runs/{run['id']}/cancel/")
        run = ended(lab.stack, run)
        assert not lab.box.pids_of("fio")
    assert of_load(lab, run)["state"] == "cancelled"
