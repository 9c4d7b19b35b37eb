"""Data that comes back otherwise than it was written: found, red, and the hardware's fault."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import cases, ended, launch, plan

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]

UNTIMED = {"time_based": False, "runtime": 0, "iodepth": 4, "bs": "4k"}
WRITTEN = UNTIMED | {"rw": "write", "size": "4M", "verify": "crc32c"}
# A step of the plan itself stands for a device that lost a piece of what it was given.
LOST = UNTIMED | {"rw": "write", "size": "64k", "offset": "1M"}
READ = UNTIMED | {"rw": "read", "size": "4M", "verify": "crc32c"}


def test_a_test_that_reads_back_something_else_is_the_hardwares_fault(lab: Lab) -> None:
    steps = [WRITTEN, READ, LOST, READ]
    made = plan(lab.stack, lab.disk, *steps, order="listed")
    with lab.stack.worker():
        run = ended(lab.stack, launch(lab.stack, made), 120)
    assert run["state"] == "failed"
    whole, same, _lost, other = cases(lab.stack, run)
    assert (whole["state"], same["state"], other["state"]) == ("succeeded", "succeeded", "failed")
    said = other["attempts"][0]
    assert said["failure_cause"] == "hardware"
    assert said["reason"].startswith("Data corruption")
    assert not said["valid"]
