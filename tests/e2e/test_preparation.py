"""A disk behind a real sshd is discarded and filled before it is measured; once it is known to be
in that state that is left out, until anything else was written to it.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import READ, WRITE, assert_state, cases, ended, launch, plan
from tests.e2e.stack import JSON, Stack

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]

TOLD = (
    "from apps.runs.models import RunEvent\n"
    "for one in RunEvent.objects.filter(run={run}, kind='rule'): print('rule: ' + str(one.text))"
)
PREPARATION = {"purge": "discard", "sequential_fills": 2, "random_fills": 1}


def the_disk(lab: Lab) -> JSON:
    disk: JSON = lab.stack.get(f"disks/{lab.disk['id']}/")
    return disk


def run_of(stack: Stack, made: JSON) -> list[JSON]:
    run = ended(stack, launch(stack, made), 180)
    assert_state(stack, run, "succeeded")
    return cases(stack, run)


def states(found: list[JSON]) -> list[tuple[str, str]]:
    return [(case["purpose"], case["state"]) for case in found]


def allocated(node: str) -> int:
    """Bytes that the file of a loop device has on its own disk."""
    said = subprocess.check_output(["losetup", "-nO", "BACK-FILE", node], text=True)
    return Path(said.strip()).stat().st_blocks * 512


def test_a_disk_is_prepared_measured_and_known_to_be_so(lab: Lab) -> None:
    stack = lab.stack
    reads = plan(stack, lab.disk, READ, preconditioning=PREPARATION)
    writes = plan(stack, lab.disk, WRITE)
    with stack.worker():
        first = run_of(stack, reads)
        assert states(first) == [("precondition", "succeeded")] * 4 + [("measure", "succeeded")]
        assert [case["tool"] for case in first] == ["blkdiscard", "fio", "fio", "fio", "fio"]
        written = [_write(stack, case) for case in first[1:4]]
        assert written == [lab.disk["size"]] * 3, "each fill writes the whole disk"
        assert allocated(lab.node) >= lab.disk["size"]

        known = the_disk(lab)["preconditioning"]
        assert [act["tool"] for act in known["acts"]] == ["blkdiscard", "fio", "fio", "fio"]
        again = run_of(stack, reads)
        assert states(again) == [("precondition", "skipped")] * 4 + [("measure", "succeeded")]
        assert f"by run #{first[0]['run']}" in again[0]["reason"]

        run_of(stack, writes)
        assert the_disk(lab)["preconditioning"] is None, "our own test wrote to it"
        assert states(run_of(stack, reads))[:4] == [("precondition", "succeeded")] * 4

        only = plan(stack, lab.disk, READ, preconditioning={"purge": "secure"})
        found = run_of(stack, only)
        assert allocated(lab.node) < lab.disk["size"] / 10, "its blocks were given back"
        attempt = found[0]["attempts"][0]
        assert any("no secure discard" in said for said in attempt["warnings"])
    answer = stack.get(f"compare/?run={first[0]['run']}&run={again[0]['run']}")
    assert "blkdiscard" not in str(answer)


def test_what_somebody_else_wrote_is_seen_before_it_is_left_out(lab: Lab) -> None:
    stack = lab.stack
    reads = plan(stack, lab.disk, READ, preconditioning={"sequential_fills": 1})
    with stack.worker():
        assert states(run_of(stack, reads))[0] == ("precondition", "succeeded")
        left = os.open(lab.node, os.O_RDWR)
        try:
            before = os.pread(left, 4096, 0)
            os.pwrite(left, b"somebody's" * 400, 0)
            os.fsync(left)
            run = ended(stack, launch(stack, reads), 120)
            told = cases(stack, run)
            # Not left out, and then refused: the permission was not for what is on it now.
            assert [case["state"] for case in told] == ["failed", "failed"]
            assert "Content:" in told[0]["reason"]
            assert "could not be prepared" in told[1]["reason"]
        finally:
            os.pwrite(left, before, 0)
            os.fsync(left)
            os.close(left)


def _write(stack: Stack, case: JSON) -> int:
    (row,) = stack.rows(f"measurements/?case={case['id']}")
    return int(row["values"]["io_bytes"])


def test_a_disk_is_aged_and_measured_in_rounds_until_it_is_steady(lab: Lab) -> None:
    """A rate makes the tracked test steady at once, and the others need not be."""
    stack = lab.stack
    rated = READ | {"rate_iops": 200, "iodepth": 1, "runtime": 2}
    # Some twenty requests, more or fewer by a fifth as chance has it.
    wanders = READ | {"rate_iops": 20, "rate_process": "poisson", "iodepth": 1, "runtime": 1}
    preparation = {"max_aging_rounds": 5, "aging_round_seconds": 1}
    rounds = {"max_rounds": 7, "step": 1, "metric": "iops"}
    with stack.worker():
        made = plan(
            stack,
            lab.disk,
            rated,
            wanders,
            preconditioning=preparation,
            steady_state=rounds,
        )
        run = ended(stack, launch(stack, made), 240)
        assert_state(stack, run, "succeeded")
    found = cases(stack, run)
    assert [case["purpose"] for case in found[:5]] == ["precondition"] * 5
    measured = found[5:]
    assert [case["block"] for case in measured] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert {case["purpose"] for case in measured} == {"measure"}
    told = stack.manage("shell", "-c", TOLD.format(run=run["id"]))
    assert "rule: steady after round 5" in told
    assert "steady after round 5\n" in told.partition("aging of ")[2] or "not steady in 5" in told
