"""Power of a host: RAPL's counters, ipmitool's answers, and the log of a job."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import pytest

from apps.remote.agent.host import power
from apps.remote.agent_tests.client import Client

SAMPLES = Path(__file__).parent / "samples/ipmitool"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("reading", (212, "")),
        ("inactive", (None, power.INACTIVE)),
        ("unsupported", (None, power.UNSUPPORTED)),
        ("no-device", (None, power.NO_DEVICE)),
    ],
)
def test_answers_of_ipmitool(name: str, expected: tuple[int | None, str]) -> None:
    assert power.parse_dcmi((SAMPLES / f"{name}.txt").read_text()) == expected


def test_unknown_answer_and_missing_program(tmp_path: Path) -> None:
    assert power.parse_dcmi("Unable to establish session") == (None, power.FAILED)
    assert power.host_power({"PATH": str(tmp_path)}) == (None, power.NO_PROGRAM)


def test_package_energy_goes_on_when_the_counter_starts_again(tmp_path: Path) -> None:
    package, core = tmp_path / "intel-rapl:0", tmp_path / "intel-rapl:0:0"
    for folder in (package, core):
        folder.mkdir()
        (folder / "max_energy_range_uj").write_text("999\n")
        (folder / "energy_uj").write_text("900\n")
    packages = power.PackageEnergy(f"{tmp_path}/intel-rapl:[0-9]*")
    (package / "energy_uj").write_text("100\n")
    assert packages.read() == {"intel-rapl:0": 200}
    (package / "energy_uj").write_text("150\n")
    assert packages.read() == {"intel-rapl:0": 250}


def test_job_logs_power_before_its_first_command(base: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "ipmitool").write_text(f"#!/bin/sh\ncat {SAMPLES / 'reading.txt'}\n")
    (tools / "ipmitool").chmod(0o755)
    attempt = str(uuid.uuid4())
    spec = {
        "attempt": attempt,
        "commands": [{"argv": ["true"]}],
        "power": {"idle_seconds": 0.5},
    }
    with Client(base, {"BENCHLAB_TOOLS_PATH": str(tools)}) as client:
        client.good("launch", spec=spec)
        ended = client.good("wait", attempt=attempt)["exit"]
        lines = [json.loads(row) for row in client.read(attempt, "power.log").splitlines()]
    assert lines[0]["dcmi"] == 212
    assert lines[0]["monotonic"] <= ended["started"]["monotonic"] - 0.3
    assert lines[-1]["monotonic"] >= ended["ended"]["monotonic"]
    assert ended["smart_before"] == {}
