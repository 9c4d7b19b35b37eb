"""From a bare host to a comparison, over a real sshd, on a real disk, with a real fio."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import READ, WRITE, assert_state, cases, ended, launch, plan, tuning

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]


def scheduler(node: str) -> str:
    text = Path(f"/sys/block/{Path(node).name}/queue/scheduler").read_text()
    return text.split("[")[1].split("]")[0]


def test_two_tunings_are_measured_and_given_back(lab: Lab) -> None:
    stack, before = lab.stack, scheduler(lab.node)
    profiles = [tuning(stack, "none"), tuning(stack, "mq-deadline")]
    made = plan(stack, lab.disk, WRITE, READ, tunings=profiles, repeats=2)
    with stack.worker():
        run = ended(stack, launch(stack, made), 120)
    assert_state(stack, run, "succeeded")
    assert scheduler(lab.node) == before
    rows = cases(stack, run)
    assert len(rows) == 8
    assert all(case["attempts"][0]["valid"] for case in rows), rows
    _figures_are_fios_own(lab, rows[0])
    applied = {case["tuning_name"]: case["attempts"][0]["exit"]["tuning"] for case in rows}
    assert {t["applied"][0]["value"] for t in applied.values()} == {"none", "mq-deadline"}
    assert all(t["restored"] and not t["changed"] for t in applied.values())


def _figures_are_fios_own(lab: Lab, case: dict[str, object]) -> None:
    """The numbers of the API against the JSON that fio wrote, to fio's last digit."""
    stack = lab.stack
    raw = stack.get(f"cases/{case['id']}/attempts/1/artifacts/result.json/").decode()
    final = json.JSONDecoder().raw_decode(raw[raw.rindex('{\n  "fio version"') :])[0]
    said = final["jobs"][0]["write"]
    row = stack.rows(f"measurements/?case={case['id']}")[0]
    assert row["operation"] == "write"
    assert row["iops"] == said["iops"]
    assert row["bandwidth"] == said["bw_bytes"]
    assert row["latency_mean"] == said["lat_ns"]["mean"]
    assert row["latency_max"] == said["lat_ns"]["max"]
    percentiles = said["lat_ns"].get("percentile") or said["clat_ns"]["percentile"]
    assert row["latency_p99"] == percentiles["99.000000"]
    assert row["latency_p9999"] == percentiles["99.990000"]


def test_a_disk_with_a_file_system_is_refused_without_a_byte(lab: Lab) -> None:
    stack, content = lab.stack, Path(lab.node)
    with stack.worker():  # from now on it is known what the disk carries
        assert_state(stack, ended(stack, launch(stack, plan(stack, lab.disk, WRITE))), "succeeded")
    ours = content.read_bytes()
    subprocess.run(["mkfs.ext4", "-q", lab.node], check=True)
    before = content.read_bytes()
    with stack.worker():
        run = ended(stack, launch(stack, plan(stack, lab.disk, WRITE)))
    assert run["state"] == "failed"
    reason = cases(stack, run)[0]["reason"]
    assert "ext4" in reason, reason
    assert content.read_bytes() == before
    assert "is not as" in reason, reason
    content.write_bytes(ours)
