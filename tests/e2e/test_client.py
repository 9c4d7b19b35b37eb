"""The command line as a script uses it: launch, wait, export and compare, with a real fio."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import READ, plan, tuning
from tests.e2e.stack import Stack

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]
SOURCES = Path(__file__).parents[2] / "client" / "src"


def benchlab(stack: Stack, folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, without the configuration of this machine."""
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(SOURCES),
        "BENCHLAB_URL": f"http://127.0.0.1:{stack.port}", "BENCHLAB_TOKEN": stack.token,
    }  # fmt: skip
    command = [sys.executable, "-m", "benchlab_client", *(str(word) for word in words)]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=150, check=False
    )


def test_a_script_launches_waits_exports_and_compares(lab: Lab, tmp_path: Path) -> None:
    stack = lab.stack
    profiles = [tuning(stack, "none"), tuning(stack, "mq-deadline")]
    made = plan(stack, lab.disk, READ, tunings=profiles, repeats=2)
    words = ("launch", made["name"], "--wait", "--timeout", 120, "--json")
    with stack.worker():
        done = benchlab(stack, tmp_path, *words)
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)
    assert run["state"] == "succeeded"
    assert "\x1b" not in done.stderr  # No progress bar: this is no terminal.
    file = tmp_path / "run.parquet"
    exported = benchlab(stack, tmp_path, "export", "--run", run["id"], "-o", file)
    assert exported.returncode == 0, exported.stderr
    rows = {row["id"]: row for row in stack.rows(f"measurements/?run={run['id']}")}
    table = pq.read_table(file).to_pylist()
    assert {row["id"]: row["iops"] for row in table} == {k: v["iops"] for k, v in rows.items()}
    assert len(table) == 4
    compared = benchlab(stack, tmp_path, "compare", "--run", run["id"])
    assert compared.returncode == 0, compared.stderr
    assert "too few repeats" in compared.stdout
