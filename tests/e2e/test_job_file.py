"""A pasted job file on a real disk does what `fio jobfile` does there by hand."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import assert_state, cases, ended, launch
from tests.e2e.stack import JSON

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]

# Two sections with a rate, so that what they do does not depend on how busy the machine is, and two
# that end when their work is done: the bytes are the same, whatever order chance puts them in.
JOBS = """
[global]
ioengine=libaio
direct=1
size=16m
filename={node}

[rated-writes]
rw=randwrite
bs=4k
iodepth=4
rate_iops=500
runtime=3
time_based

[rated-reads]
stonewall
rw=randread
bs=8KB      ; 8192 bytes
rate_iops=400
runtime=3s
time_based

[mix-of-blocks]
stonewall
rw=randrw
rwmixread=70
bssplit=4k/60:64k/40
iodepth=8

[verified]
stonewall
rw=write
bs=64k
verify=crc32c
"""
RATED = ("rated-writes", "rated-reads")
IN_ORDER = "verified"
NOISE = 0.1


def test_four_sections_equal_the_job_file_run_by_hand(lab: Lab, tmp_path: Path) -> None:
    stack, text = lab.stack, JOBS.format(node=lab.node)
    pasted = stack.post("plans/from-text/", {"text": text})
    assert [note for note in pasted["notes"] if note["kind"] == "refused"] == []
    body = {"name": "pasted", "repeats": 1, "steps": pasted["steps"], "order": "listed"}
    plan = stack.post("plans/", body | {"targets": [f"disk:{lab.disk['id']}"]})
    with stack.worker():
        run = ended(stack, launch(stack, plan), 120)
    assert_state(stack, run, "succeeded")
    ours = {case["step_name"]: _measured(stack.rows(f"measurements/?case={case['id']}"))
            for case in cases(stack, run)}  # fmt: skip
    disk = Path(lab.node)
    left = disk.read_bytes()
    try:
        by_hand = _by_hand(text, tmp_path)
    finally:
        disk.write_bytes(left)  # benchlab would refuse a disk that somebody else wrote to
    assert ours.keys() == by_hand.keys()
    for name, figures in by_hand.items():
        assert figures.keys() == ours[name].keys()
        moved = [sum(each[1] for each in side[name].values()) for side in (ours, by_hand)]
        assert moved[0] == pytest.approx(moved[1], rel=NOISE)
        for operation, (operations, size, iops) in figures.items():
            mine = ours[name][operation]
            print(f"{name} {operation}: by hand {iops:.0f}/s, in the plan {mine[2]:.0f}/s")
            if name in RATED:
                assert mine[2] == pytest.approx(iops, rel=NOISE)
            if name == IN_ORDER:
                assert mine[:2] == (operations, size)


def _measured(rows: list[JSON]) -> dict[str, tuple[int, int, float]]:
    return {
        row["operation"]: (row["values"]["total_ios"], row["values"]["io_bytes"], row["iops"])
        for row in rows
    }


def _by_hand(text: str, folder: Path) -> dict[str, dict[str, tuple[int, int, float]]]:
    """What the same fio says of the same file, section by section."""
    job = folder / "four.fio"
    job.write_text(text)
    call = ("fio", "--output-format=json", "--output=by-hand.json", str(job))
    subprocess.run(call, cwd=folder, check=True, timeout=120, capture_output=True)
    jobs = json.loads((folder / "by-hand.json").read_text())["jobs"]
    return {
        job["jobname"]: {
            operation: (said["total_ios"], said["io_bytes"], said["iops"])
            for operation in ("read", "write")
            if (said := job[operation])["total_ios"]
        }
        for job in jobs
    }
