"""The folder of the agent's jobs on a host in a box is full in the middle of a tuned run: settings
are back at its end, what is left is shown, and the next tuned run works when there is room.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import READ, assert_state, cases, checked, ended, launch, plan, tuning
from tests.e2e.several import in_phase
from tests.e2e.test_journey import scheduler

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]


@contextmanager
def jobs_on(lab: Lab, kind: str, *options: str) -> Iterator[Path]:
    """The folder with the agent's jobs on a small file system of its own, as the box sees it."""
    jobs = lab.box.base / "jobs"
    lab.box.inside("mount", "-t", kind, *options, str(jobs))
    try:
        yield jobs
    finally:
        lab.box.inside("umount", "-l", str(jobs))


def test_a_folder_that_fills_in_a_tuned_run_blocks_nothing(lab: Lab) -> None:
    stack, before = lab.stack, scheduler(lab.node)
    tunings = [tuning(stack, "mq-deadline")]
    made = plan(stack, lab.disk, READ | {"runtime": 15}, tunings=tunings)
    with stack.worker(), jobs_on(lab, "tmpfs", "-o", "size=8m", "tmpfs") as jobs:
        run = launch(stack, made)
        in_phase(stack, run, "running")
        fill = f"rm -f {jobs}/*/reserve; cat /dev/zero > {jobs}/fill; true"
        lab.box.inside("sh", "-c", fill)
        run = ended(stack, run, 150)
        assert scheduler(lab.node) == before
        case = cases(stack, run)[0]
        assert "No space left on device" in case["reason"], case
        host = checked(stack, lab.disk["host"])
        assert (host["health"], host["health_kind"]) == ("warning", "unrestored")
        (loan,) = host["unrestored_settings"]
        assert (loan["case"], loan["settings"]) == (case["id"], [])
        lab.box.inside("rm", f"{jobs}/fill")
        stack.post(f"hosts/{host['id']}/restore-settings/")
        host = checked(stack, lab.disk["host"])
        assert (host["health"], host["unrestored_settings"]) == ("ok", [])
        short = plan(stack, lab.disk, READ, tunings=tunings)
        assert_state(stack, ended(stack, launch(stack, short), 120), "succeeded")
    assert scheduler(lab.node) == before
