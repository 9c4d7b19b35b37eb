"""Help is there at once: no environment, no state, no server is made for it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchlab.local.paths import PROJECT

ASKED = [
    (("up", "--help"), "BENCHLAB_HOME"),
    (("demo", "--help"), "--exit"),
    (("demo", "--exit", "-h"), "--exit"),
    (("test", "--help"), "pytest"),
    (("bundle", "--help"), "SHA-256"),
    (("manage",), "restore"),
    (("manage", "--help"), "restore"),
]


@pytest.mark.parametrize(("words", "said"), ASKED)
def test_help_needs_nothing_and_leaves_nothing(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    done = subprocess.run(
        [PROJECT / "bin" / words[0], *words[1:]],
        env={"PATH": "/usr/bin:/bin", "BENCHLAB_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert said in done.stdout
    assert done.stderr == ""
    assert not home.exists()


def test_the_check_of_a_checkout_is_the_whole_one() -> None:
    run = PROJECT / ".ci" / "run"
    assert run.stat().st_mode & 0o111
    assert run.read_text().splitlines() == ["#!/bin/sh", "exec bin/test"]
