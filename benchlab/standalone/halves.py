"""The two halves of the tests: those that need no more than the test servers, and those that own
servers, devices or a browser. Each is one call of pytest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from benchlab.standalone.paths import PROJECT

CORES = len(os.sched_getaffinity(0))
REPORT = ("-q", "-ra", "--durations=10")
FAILED = 1
"""pytest's exit code for tests that failed, apart from everything else that can go wrong."""


@dataclass(frozen=True)
class Half:
    """Its heading, its processes, its mark, and where to look for its tests."""

    name: str
    workers: int
    mark: str
    folders: tuple[str, ...]
    cache: str

    @property
    def chosen(self) -> tuple[str, ...]:
        """The options that choose its tests."""
        return ("-m", self.mark, "-o", f"cache_dir={self.cache}")

    def last_failed(self) -> list[str]:
        """The tests that failed in its last call, in order; pytest's own list."""
        path = Path(PROJECT, self.cache, "v/cache/lastfailed")
        return sorted(json.loads(path.read_text())) if path.exists() else []


FAST = Half(
    "tests",
    CORES,
    "not e2e and not browser and not needs_root",
    ("benchlab", "apps", "tests"),
    "var/pytest-fast",
)
# End-to-end tests wait for leases, clocks and tools half of their time.
SLOW = Half(
    "end-to-end and browser tests",
    CORES + 1,
    "e2e or browser or needs_root",
    ("tests", "apps", "benchlab"),
    "var/pytest-slow",
)


# Files, and files of one group (`xdist_group`), share what is expensive to make, such as a Ceph,
# and so stay in one process (tests/harness/scheduling.py). What takes long is begun first, so that
# all processes end at about the same time.
def whole(half: Half) -> list[str]:
    """The call that runs all of a half."""
    spread = ("-n", str(half.workers), "--dist", "loadgroup", "--cache-clear")
    return pytest_command(*REPORT, *spread, *half.chosen, *half.folders)


def run(half: Half, nice: Sequence[str] = ()) -> int:
    """Run a half; its exit code."""
    call = [*nice, *whole(half)]
    return subprocess.run(call, stdin=subprocess.DEVNULL, check=False).returncode


def run_quiet(half: Half, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a half beside something that prints; its exit code and what it said."""
    with TemporaryFile("w+", errors="replace") as said:
        done = subprocess.run(
            whole(half),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            check=False,
        )
        said.seek(0)
        return done.returncode, said.read()


def run_failed(half: Half) -> int:
    """Run what failed in a half's last call, in one process; the exit code."""
    call = pytest_command(*REPORT, *half.chosen, "--last-failed", "--last-failed-no-failures=none")
    return subprocess.run(call, stdin=subprocess.DEVNULL, check=False).returncode


def pytest_command(*arguments: str) -> list[str]:
    """pytest in this environment."""
    return [sys.executable, "-m", "pytest", *arguments]
