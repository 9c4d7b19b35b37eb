"""The worker dies at every step boundary; the next one ends the run, and nothing was started
twice.
"""

from __future__ import annotations

import pytest

from apps.execution.runtime.crash import BOUNDARIES
from tests.e2e.conftest import Lab
from tests.e2e.lab import READ, assert_state, cases, ended, launch, plan

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_run_survives_its_worker(lab: Lab, boundary: str) -> None:
    stack, before = lab.stack, _started(lab)
    run = launch(stack, plan(stack, lab.disk, READ | {"runtime": 1}, repeats=2))
    with stack.worker(crash_point=boundary) as doomed:
        assert doomed.wait(60) == -9, stack.log("worker")
    with stack.worker():
        run = ended(stack, run)
    assert_state(stack, run, "succeeded")
    rows = cases(stack, run)
    assert [len(case["attempts"]) for case in rows] == [1, 1]
    assert all(case["attempts"][0]["valid"] for case in rows)
    assert len(stack.rows(f"measurements/?run={run['id']}")) == 2
    assert _started(lab) - before == {case["attempts"][0]["id"] for case in rows}


def _started(lab: Lab) -> set[str]:
    """Every attempt the host has ever begun: its folder is there, or its tombstone."""
    folders = [lab.box.base / name for name in ("jobs", "done")]
    return {entry.name for folder in folders if folder.exists() for entry in folder.iterdir()}
