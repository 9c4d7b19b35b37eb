"""The commands of bin/ begin under the project's own Python where it is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchlab.local import venv
from benchlab.local.paths import PROJECT, Home

SAYS = '#!/bin/sh\necho "$0" "$@"\n'


def _python(folder: Path) -> Path:
    """A stand-in that says how it was called."""
    own = folder / "venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.write_text(SAYS)
    own.chmod(0o755)
    return own


def _start(folder: Path, **more: str) -> str:
    command = [str(PROJECT / "bin" / "start"), "manage", "parse", "a file"]
    env = {"BENCHLAB_HOME": str(folder), "PATH": "/usr/bin:/bin", **more}
    return subprocess.run(command, env=env, text=True, capture_output=True, check=True).stdout


def test_the_environments_python_is_called_without_looking_for_another(tmp_path: Path) -> None:
    own = _python(tmp_path)
    assert _start(tmp_path) == f"{own} {PROJECT}/benchlab/local manage parse a file\n"


def test_a_python_that_was_asked_for_goes_before_it(tmp_path: Path) -> None:
    _python(tmp_path)
    asked = _python(tmp_path / "asked")
    assert _start(tmp_path, BENCHLAB_PYTHON=str(asked)).startswith(f"{asked} ")


def test_an_outdated_environment_is_left_before_it_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Left(Exception):
        """In place of the end of this process."""

    def leave(program: str, arguments: list[str]) -> None:
        raise Left(program, arguments)

    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    monkeypatch.setattr(sys, "_base_executable", "/usr/bin/python3.11")
    monkeypatch.setattr(sys, "orig_argv", ["python", "benchlab/local", "up"])
    monkeypatch.setattr("os.execv", leave)
    with pytest.raises(Left) as left:
        venv.ensure_venv(Home(tmp_path))
    assert left.value.args == (
        "/usr/bin/python3.11",
        ["/usr/bin/python3.11", "benchlab/local", "up"],
    )
