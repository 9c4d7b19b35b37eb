"""The commands of `bin/` that stand in `tests` start on their own, without pytest's set-up."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchlab.local.paths import PROJECT


@pytest.mark.parametrize("module", ["tests.bench", "tests.browser.visual_check", "tests.chaos"])
def test_command_without_pytest_prints_its_help(module: str) -> None:
    command = [sys.executable, "-m", module, "--help"]

    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
