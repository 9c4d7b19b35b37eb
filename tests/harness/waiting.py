"""Helpers of these tests: wait for a fact, and start Python with the checkout on its path."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

from benchlab.local.paths import PROJECT


def until(fact: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until `fact()` is true; AssertionError after `seconds`."""
    deadline = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < deadline, f"still not so after {seconds:g} s"
        time.sleep(0.02)


def start_python(code: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A Python process that runs `code` with the project importable."""
    env = os.environ | {"PYTHONPATH": str(PROJECT)}
    return subprocess.Popen([sys.executable, "-c", code, *arguments], env=env)
