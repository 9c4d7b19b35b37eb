"""The cable, the power and the broker: what runs on a host goes on, and is told truthfully."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import READ, assert_state, cases, ended, launch, plan, running, until
from tests.e2e.stack import Stack, kill

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]


def test_a_cut_cable_costs_no_result(lab: Lab) -> None:
    stack = lab.stack
    with stack.worker():
        run = launch(stack, plan(stack, lab.disk, READ | {"runtime": 20}))
        running(stack, run)
        lab.box.link(False)
        unknown = until(
            lambda: cases(stack, run)[0]["attempts"][0],
            lambda a: a["contact_lost_since"] is not None,
            40,
            "contact noticed as lost",
        )
        assert unknown["state"] == "running"
        lab.box.link(True)
        run = ended(stack, run)
    attempt = cases(stack, run)[0]["attempts"][0]
    assert_state(stack, run, "succeeded")
    assert attempt["valid"]
    assert attempt["contact_lost_since"] is None


def test_a_power_cut_is_lost_with_evidence(lab: Lab) -> None:
    stack = lab.stack
    with stack.worker():
        run = launch(stack, plan(stack, lab.disk, READ | {"runtime": 60}))
        running(stack, run)
        lab.box.power_cut()
        lab.box.start()
        run = ended(stack, run, 120)
    assert_state(stack, run, "lost")
    assert "no exit code" in cases(stack, run)[0]["reason"]
    assert not stack.rows(f"measurements/?run={run['id']}")


@contextmanager
def without_broker(stack: Stack) -> Iterator[None]:
    """Web and workers whose broker does not exist."""
    broker = stack.environment["REDIS_URL"]
    stack.environment["REDIS_URL"] = f"unix://{stack.home}/nobody.sock?db=0"
    kill(stack.web)
    stack.start_web()
    yield
    stack.environment["REDIS_URL"] = broker
    kill(stack.web)
    stack.start_web()


def test_without_a_broker_runs_still_start_and_end(lab: Lab) -> None:
    stack = lab.stack
    with without_broker(stack), stack.worker():
        run = ended(stack, launch(stack, plan(stack, lab.disk, READ | {"runtime": 1})))
    assert_state(stack, run, "succeeded")


def test_a_killed_worker_while_fio_runs(lab: Lab) -> None:
    stack = lab.stack
    run = launch(stack, plan(stack, lab.disk, READ | {"runtime": 8}))
    with stack.worker():
        attempt = running(stack, run)
    time.sleep(1)
    with stack.worker():
        run = ended(stack, run)
    case = cases(stack, run)[0]
    assert_state(stack, run, "succeeded")
    assert [a["id"] for a in case["attempts"]] == [attempt["id"]]


def test_a_stalled_worker_is_overtaken_and_writes_nothing(lab: Lab) -> None:
    stack = lab.stack
    run = launch(stack, plan(stack, lab.disk, READ | {"runtime": 6}, repeats=2))
    with stack.worker() as stalled:
        running(stack, run)
        os.killpg(stalled.pid, signal.SIGSTOP)
        with stack.worker():
            time.sleep(8)
            os.killpg(stalled.pid, signal.SIGCONT)
            run = ended(stack, run)
    assert_state(stack, run, "succeeded")
    assert [len(case["attempts"]) for case in cases(stack, run)] == [1, 1]
    assert len(stack.rows(f"measurements/?run={run['id']}")) == 2


def test_cancel_proves_that_nothing_is_left(lab: Lab) -> None:
    stack: Stack = lab.stack
    with stack.worker():
        run = launch(stack, plan(stack, lab.disk, READ | {"runtime": 120}, repeats=2))
        running(stack, run)
        stack.post(f"runs/{run['id']}/cancel/")
        run = ended(stack, run, 15)
    assert run["state"] == "cancelled"
    assert not [line for line in lab.box.processes() if "fio" in line]
