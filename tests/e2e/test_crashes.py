"""The worker dies at every step boundary; the next one ends the run, and nothing was started
twice.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.execution.crash import BOUNDARIES
from tests.e2e.conftest import Lab
from tests.e2e.lab import READ, cases, ended, launch, plan

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_run_survives_its_worker(lab: Lab, boundary: str) -> None:
    stack = lab.stack
    run = launch(stack, plan(stack, lab.disk, READ | {"runtime": 1}, repeats=2))
    with stack.worker(crash_at=boundary) as doomed:
        assert doomed.wait(60) == -9, stack.log("worker")
    with stack.worker():
        run = ended(stack, run)
    assert run["state"] == "succeeded", stack.log("worker")
    rows = cases(stack, run)
    assert [len(case["attempts"]) for case in rows] == [1, 1]
    assert all(case["attempts"][0]["valid"] for case in rows)
    assert len(stack.rows(f"measurements/?run={run['id']}")) == 2
    started = {path.name for folder in ("jobs", "done") for path in _entries(lab, folder)}
    assert started == {case["attempts"][0]["id"] for case in rows}


def _entries(lab: Lab, folder: str) -> list[Path]:
    path = lab.box.base / folder
    return list(path.iterdir()) if path.exists() else []
