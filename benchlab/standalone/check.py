"""bin/test: every check of the project, the failed ones listed at the end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from tempfile import TemporaryFile

from benchlab.standalone import apt
from benchlab.standalone.apt_component import install_from
from benchlab.standalone.machine import missing_packages, missing_programs
from benchlab.standalone.paths import PROJECT, Home

# What the tests use of the machine, by a program that proves it is there (else the package).
PROGRAMS = {
    "fio": "fio",
    "/usr/sbin/sshd": "openssh-server",
    "/bin/tcsh": "tcsh",
    "/usr/bin/fish": "fish",
    "ip": "iproute2",
    "iptables": "iptables",
    "iperf3": "iperf3",
    "iperf": "iperf",
    "chromium": "chromium",
    "pdftotext": "poppler-utils",
    "fc-list": "fontconfig",
    "losetup": "mount",
    "mkfs.xfs": "xfsprogs",
    "mkfs.btrfs": "btrfs-progs",
    "git": "git",
}
NON_FREE = {"iozone": "iozone3"}
FONTS = "fonts-dejavu-core"
# A small Ceph, asked for by itself: where it is not to be had, the rest is installed all the same.
CEPH = {
    "ceph": "ceph-common",
    "ceph-mon": "ceph-mon",
    "ceph-mgr": "ceph-mgr",
    "ceph-osd": "ceph-osd",
}
CORES = len(os.sched_getaffinity(0))
SERVER_VARIABLES = frozenset({"DATABASE_URL", "REDIS_URL"})
LOW = ("nice", "-n", "15")
OPTIONS = ("-q", "-ra", "--durations=10", "--dist=loadgroup", "-p", "no:cacheprovider")
UNIT_TESTS = (
    *OPTIONS, f"-n{CORES}",
    "-m", "not e2e and not browser and not needs_root", "benchlab", "apps", "tests",
)  # fmt: skip
# These wait for leases, clocks and tools half of their time: one process more than cores.
SLOW_TESTS = (
    *OPTIONS, f"-n{CORES + 1}",
    "-m", "e2e or browser or needs_root", "tests", "apps", "benchlab",
)  # fmt: skip


@dataclass(frozen=True)
class Check:
    """One static check: its heading and its argv."""

    name: str
    argv: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """The end of a check, with everything it printed."""

    name: str
    code: int
    output: str
    seconds: float


def check(home: Home, arguments: Sequence[str]) -> int:
    """Run everything, or with arguments only pytest with them; 0 when nothing failed."""
    os.chdir(PROJECT)
    # Hundreds of processes start from these sources; without bytecode each compiles them anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PATH"] = f"{home.venv / 'bin'}:{os.environ.get('PATH', '/usr/bin:/bin')}:/usr/sbin"
    if arguments:
        return subprocess.run(pytest_command(*arguments), check=False).returncode
    install_machine_needs()
    failed = run_everything()
    heading("Result")
    print("failed: " + ", ".join(failed) if failed else "everything passed", flush=True)
    return 1 if failed else 0


def heading(text: str) -> None:
    """A line that is easy to find in a long log."""
    print(f"\n=== {text} ===", flush=True)


def install_machine_needs() -> None:
    """As root, install what the tests need of the machine; else say what is missing."""
    heading("What this machine needs")
    groups: dict[str, tuple[list[str], Callable[[Sequence[str]], None]]] = {
        "": (missing_packages(PROGRAMS, FONTS), apt.install),
        " for a small Ceph": (missing_programs(CEPH), apt.install),
        " of non-free": (missing_programs(NON_FREE), lambda names: install_from("non-free", names)),
    }
    for words, (missing, act) in groups.items():
        if missing:
            _install(missing, words, act)
    if not any(missing for missing, _ in groups.values()):
        print("nothing is missing", flush=True)


def _install(missing: Sequence[str], words: str, act: Callable[[Sequence[str]], None]) -> None:
    names = ", ".join(missing)
    if os.geteuid() != 0 or not apt.available():
        print(f"not installed: {names}; tests that need them are skipped", flush=True)
        return
    print(f"installing {names}{words}", flush=True)
    try:
        act(missing)
    except apt.AptError as error:
        print(f"{error}; tests that need them are skipped", flush=True)


def static_checks() -> list[Check]:
    """The checks that read the code without starting benchlab."""
    python = sys.executable
    return [
        Check("mypy", (python, "-m", "mypy", "apps", "benchlab")),
        Check("ruff check", ("ruff", "check", ".")),
        Check("ruff format", ("ruff", "format", "--check", ".")),
        Check("templates (djlint)", ("djlint", "templates", "--lint", "--quiet")),
        Check("imports (lint-imports)", ("lint-imports",)),
        Check("agent is Python 3.6 (vermin)", (*VERMIN, "apps/remote/agent")),
        Check("manage.py check --deploy", (python, "manage.py", *DEPLOY)),
    ]


DEPLOY = ("check", "--deploy", "--fail-level", "ERROR")
VERMIN = ("vermin", "-t=3.6-", "--no-tips", "--violations")


def run_static_checks() -> list[str]:
    """Run them side by side, print each whole; the names of those that failed."""
    with ThreadPoolExecutor(CORES) as pool:
        outcomes = []
        for outcome in pool.map(_run_check, static_checks()):
            heading(f"{outcome.name} ({outcome.seconds:.1f} s)")
            print(outcome.output.strip() or "passed", flush=True)
            outcomes.append(outcome)
    return [outcome.name for outcome in outcomes if outcome.code]


def _run_check(item: Check) -> Outcome:
    began = time.monotonic()
    done = subprocess.run(
        [*LOW, *item.argv],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return Outcome(item.name, done.returncode, done.stdout, time.monotonic() - began)


def run_everything() -> list[str]:
    """The static checks, then the unit tests; beside both, the end-to-end and browser tests. The
    names of those that failed.

    nice(1): clocks and leases of the end-to-end tests must not run out because of the others. Each
    call of pytest starts its own servers; both use the same ones where the environment names them.
    """
    with TemporaryFile("w+", errors="replace") as log:
        slow = subprocess.Popen(
            pytest_command(*SLOW_TESTS),
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if SERVER_VARIABLES & os.environ.keys():
            slow.wait()
        failed = run_static_checks()
        heading("pytest: unit tests")
        unit = subprocess.run(
            [*LOW, *pytest_command(*UNIT_TESTS)], stdin=subprocess.DEVNULL, check=False
        )
        slow.wait()
        heading("pytest: end-to-end and browser tests")
        log.seek(0)
        print(log.read().strip(), flush=True)
    codes = {"unit tests": unit.returncode, "end-to-end and browser tests": slow.returncode}
    return failed + [f"pytest: {name}" for name, code in codes.items() if code]


def pytest_command(*arguments: str) -> list[str]:
    """pytest in this environment."""
    return [sys.executable, "-m", "pytest", *arguments]
