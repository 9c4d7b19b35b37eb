"""`benchlab gate` decides on real fio at fixed rates, and adds repeats until it can."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import UNBRIDLED, assert_state, ended, launch, plan
from tests.e2e.stack import JSON, Stack
from tests.e2e.template import ROOT

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_root,
    pytest.mark.extended,
    pytest.mark.timeout(900),
]
AGAINST = "param:rate_iops=1000"


def gate(stack: Stack, run: JSON, *options: str) -> tuple[int, JSON]:
    """The exit code and the answer of the command."""
    words = ["gate", "--run", str(run["id"]), "--iops-worse", "5%", "--json", *options]
    done = subprocess.run(
        [sys.executable, "-m", "benchlab_client", *words],
        env=os.environ | {
            "PYTHONPATH": str(Path(ROOT) / "client/src"), "BENCHLAB_URL": stack.address,
            "BENCHLAB_TOKEN": stack.token,
        },
        capture_output=True, text=True, timeout=400,
    )  # fmt: skip
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def states(answer: JSON) -> dict[str, str]:
    """The state of each level."""
    return {row["level"].split()[-2]: row["state"] for row in answer["rows"]}


def sentences(answer: JSON) -> list[str]:
    return [f"{row['level']}: {row['text']}" for row in answer["rows"]]


def measured(lab: Lab, rates: list[int], repeats: int, bs: str = "4k") -> JSON:
    stack = lab.stack
    step = UNBRIDLED | {"rate_iops": rates, "runtime": 4, "bs": bs}
    run = ended(stack, launch(stack, plan(stack, lab.disk, step, repeats=repeats)), 400)
    assert_state(stack, run, "succeeded")
    return run


def test_gate_of_six_repeats_fails_and_passes(lab: Lab, tmp_path: Path) -> None:
    stack, file = lab.stack, tmp_path / "gate.xml"
    with stack.worker():
        run = measured(lab, [1000, 900, 995], 6)
        code, answer = gate(stack, run, "--against", AGAINST, "--junit", str(file))
    assert (code, states(answer)) == (3, {"900": "failed", "995": "passed"}), sentences(answer)
    assert file.read_text().count("<failure") == 1


def test_gate_of_three_repeats_is_undecided_until_repeats_are_added(lab: Lab) -> None:
    stack = lab.stack
    with stack.worker():
        other, run = measured(lab, [1000], 1, "8k"), measured(lab, [1000, 500], 3)
        code, answer = gate(stack, run, "--against", f"run:{other['id']}")
        assert (code, answer["state"]) == (5, "not_comparable"), sentences(answer)
        code, answer = gate(stack, run, "--against", AGAINST)
        assert (code, states(answer)) == (5, {"500": "undecided"}), sentences(answer)
        assert answer["more_repeats"] >= 3
        code, answer = gate(stack, run, "--against", AGAINST, "--until-decided")
    assert (code, states(answer)) == (3, {"500": "failed"}), sentences(answer)
    assert answer["rows"][0]["n"] >= 6
