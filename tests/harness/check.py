"""`bin/test`: the checks of the project; `--all`: also the extended tests, which take long; with
other arguments, pytest with these arguments.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from tests.harness.machine import CORES, heading, install_programs
from tests.harness.marked_files import EXTENDED, FOLDERS, SLOW, files_with

SERVER_VARIABLES = frozenset({"DATABASE_URL", "REDIS_URL"})
LOW = ("nice", "-n", "15")
OPTIONS = ("-q", "-ra", "--durations=10", "--dist=loadgroup", "-p", "no:cacheprovider")
UNIT_TESTS = (f"-n{CORES}", "-m", "not (e2e or browser or needs_root or extended)")
# These wait for leases, clocks and tools half of their time: one process more than cores.
SLOW_TESTS = (f"-n{CORES + 1}", "-m", "(e2e or browser or needs_root) and not extended")
EXTENDED_TESTS = ("-n1", "-m", "extended")
"""Browsers and servers that take a processor each; they run after the others."""
PYTHON = sys.executable
CLIENT = Path(__file__).parents[2] / "client" / "src" / "benchlab_client"
CLIENT_PATHS = [str(one) for one in CLIENT.iterdir() if one.name not in ("mcp", "__pycache__")]
"""Without the folder mcp: the package of that name needs Python 3.10."""
STATIC_CHECKS: dict[str, tuple[str, ...]] = {
    "mypy": (PYTHON, "-m", "mypy", "apps", "benchlab", "client", "tests", "conftest.py"),
    "ruff check": ("ruff", "check", "."),
    "ruff format": ("ruff", "format", "--check", "."),
    "spelling (codespell)": ("codespell",),
    "templates (djlint)": ("djlint", "templates", "--lint", "--quiet"),
    "imports (lint-imports)": ("lint-imports",),
    "agent is Python 3.6 (vermin)": (
        "vermin", "-t=3.6-", "--no-tips", "--violations", "apps/remote/agent",
    ),
    "client is Python 3.8 (vermin)": (
        "vermin", "-t=3.8-", "--no-tips", "--violations", *CLIENT_PATHS,
    ),
    "manage.py check --deploy": (
        PYTHON, "manage.py", "check", "--deploy", "--fail-level", "ERROR",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """The end of a static check, with everything it printed."""

    name: str
    code: int
    output: str
    seconds: float


def main(arguments: Sequence[str]) -> int:
    """0 when nothing failed."""
    # Hundreds of processes start from these sources; without bytecode each compiles them anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    path = os.environ.get("PATH", "/usr/bin:/bin")
    os.environ["PATH"] = f"{Path(PYTHON).parent}:{path}:/usr/sbin"
    if arguments and list(arguments) != ["--all"]:
        return subprocess.run(pytest_command(*arguments), check=False).returncode
    install_programs()
    failed = run_everything()
    if arguments:
        heading("pytest: extended tests")
        command = pytest_command(*OPTIONS, *EXTENDED_TESTS, *files_with(EXTENDED))
        if subprocess.run(command, check=False).returncode:
            failed.append("pytest: extended tests")
    heading("Result")
    print("failed: " + ", ".join(failed) if failed else "everything passed", flush=True)
    return 1 if failed else 0


def run_everything() -> list[str]:
    """The static checks, then the unit tests; beside both, the end-to-end and browser tests. The
    names of those that failed.

    nice(1): clocks and leases of the end-to-end tests must not run out because of the others. Each
    call of pytest starts its own servers; both use the same ones where the environment names them.
    """
    with TemporaryFile("w+", errors="replace") as log:
        slow = subprocess.Popen(
            pytest_command(*OPTIONS, *SLOW_TESTS, *files_with(SLOW)),
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if SERVER_VARIABLES & os.environ.keys():
            slow.wait()
        failed = run_static_checks()
        heading("pytest: unit tests")
        command = [*LOW, *pytest_command(*OPTIONS, *UNIT_TESTS, *FOLDERS)]
        unit = subprocess.run(command, stdin=subprocess.DEVNULL, check=False)
        slow.wait()
        heading("pytest: end-to-end and browser tests")
        log.seek(0)
        print(log.read().strip(), flush=True)
    codes = {"unit tests": unit.returncode, "end-to-end and browser tests": slow.returncode}
    return failed + [f"pytest: {name}" for name, code in codes.items() if code]


def run_static_checks() -> list[str]:
    """Run them side by side, print each whole; the names of those that failed."""
    failed = []
    with ThreadPoolExecutor(CORES) as pool:
        for outcome in pool.map(_run_check, STATIC_CHECKS):
            heading(f"{outcome.name} ({outcome.seconds:.1f} s)")
            print(outcome.output.strip() or "passed", flush=True)
            if outcome.code:
                failed.append(outcome.name)
    return failed


def _run_check(name: str) -> Outcome:
    began = time.monotonic()
    done = subprocess.run(
        [*LOW, *STATIC_CHECKS[name]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return Outcome(name, done.returncode, done.stdout, time.monotonic() - began)


def pytest_command(*arguments: str) -> list[str]:
    """pytest in this environment."""
    return [PYTHON, "-m", "pytest", *arguments]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
