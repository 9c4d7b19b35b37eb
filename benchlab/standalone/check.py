"""bin/test: every check of the project, the failed ones listed at the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from tempfile import TemporaryFile

from benchlab.standalone import apt
from benchlab.standalone.apt_component import install_from
from benchlab.standalone.machine import missing_packages, missing_programs
from benchlab.standalone.paths import PROJECT, Home
from benchlab.standalone.testing import TestServers

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
    "msgfmt": "gettext",
    "losetup": "mount",
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
STATIC_WORKERS = CORES
FAST_WORKERS = CORES
SLOW_WORKERS = CORES + 1
"""End-to-end tests wait for leases, clocks and tools half of their time."""
BY_FILE = ("--dist", "loadgroup")
SLOW_NAME = "end-to-end and browser tests"
NAMES_SERVERS = frozenset({"DATABASE_URL", "REDIS_URL"})
LOW = ("nice", "-n", "15")
REPORT = ("-q", "-ra", "--durations=10")
SLOW_CACHE = "var/pytest-slow"
SLOW = ("-m", "e2e or browser or needs_root", "-o", f"cache_dir={SLOW_CACHE}")
LAST_FAILED = PROJECT / SLOW_CACHE / "v/cache/lastfailed"
FAILED = 1
"""pytest's exit code for tests that failed, apart from everything else that can go wrong."""
MOST_REPEATED = 3
"""More failures than this are no accident of timing and are not tried again."""


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
    environment = dict(os.environ)
    servers = TestServers()
    try:
        servers.start()
        failed = run_everything(environment)
    finally:
        servers.stop()
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
    manage = (python, "manage.py")
    return [
        Check("mypy", (python, "-m", "mypy", "apps", "benchlab")),
        Check("ruff check", ("ruff", "check", ".")),
        Check("ruff format", ("ruff", "format", "--check", ".")),
        Check("templates (djlint)", ("djlint", "templates", "--lint", "--quiet")),
        Check("imports (lint-imports)", ("lint-imports",)),
        Check("agent is Python 3.6 (vermin)", (*VERMIN, "apps/remote/agent")),
        Check("manage.py check --deploy", (*manage, "check", "--deploy", "--fail-level", "ERROR")),
        Check("migrations are complete", (*manage, "makemigrations", "--check", "--dry-run")),
        Check("translations compile", (python, "-m", "benchlab.standalone.translations")),
    ]


VERMIN = ("vermin", "-t=3.6-", "--no-tips", "--violations")


def run_static_checks() -> list[str]:
    """Run them side by side, print each whole; the names of those that failed."""
    with ThreadPoolExecutor(STATIC_WORKERS) as pool:
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


def run_everything(own: Mapping[str, str]) -> list[str]:
    """The static checks, then the unit and page tests; beside both, those tests that own servers,
    devices or a browser. The names of what failed.

    End-to-end tests wait half of their time; the others take what these leave of the processors
    (nice(1)), so that no lease or clock runs out because of them. In their environment `own` no
    servers are named, so that they start a second pair: names of databases are used twice. Where
    the caller names servers, one call of pytest waits for the other.
    """
    with ThreadPoolExecutor() as pool:
        shared = NAMES_SERVERS & own.keys()
        slow = None if shared else pool.submit(_slow_tests, own)
        failed = run_static_checks() + _fast_tests()
        code, output = slow.result() if slow else _slow_tests(own)
    heading(f"pytest: {SLOW_NAME}")
    print(output.strip(), flush=True)
    if code and not (code == FAILED and _pass_alone()):
        failed.append(f"pytest: {SLOW_NAME}")
    return failed


# Files, and files of one group (`xdist_group`), share what is expensive to make, such as a Ceph,
# and so stay in one process (tests/harness/scheduling.py). What takes long is begun first, so that
# all processes end at about the same time.
def _fast_tests() -> list[str]:
    chosen = ("-n", str(FAST_WORKERS), *BY_FILE, "-m", "not e2e and not browser and not needs_root")
    code = _pytest("tests", *chosen, "benchlab", "apps", "tests", nice=LOW)
    return ["pytest: tests"] if code else []


def _slow_tests(own: Mapping[str, str]) -> tuple[int, str]:
    chosen = ("-n", str(SLOW_WORKERS), *BY_FILE, *SLOW, "--cache-clear")
    return _pytest_quiet(own, *chosen, "tests", "apps", "benchlab")


def _pytest(name: str, *arguments: str, nice: Sequence[str] = ()) -> int:
    """Run pytest under a heading; its exit code."""
    heading(f"pytest: {name}")
    call = [*nice, *pytest_command(*REPORT, *arguments)]
    return subprocess.run(call, stdin=subprocess.DEVNULL, check=False).returncode


def _pytest_quiet(environment: Mapping[str, str], *arguments: str) -> tuple[int, str]:
    """Run pytest beside something that prints; its exit code and what it said."""
    with TemporaryFile("w+", errors="replace") as said:
        call = pytest_command(*REPORT, *arguments)
        done = subprocess.run(
            call,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            check=False,
        )
        said.seek(0)
        return done.returncode, said.read()


def _pass_alone() -> bool:
    """Whether the few end-to-end tests that failed beside others pass with the machine to
    themselves. They drive clocks, leases and disks that all tests share, so a stall of seconds can
    fail one; a real fault fails twice. What passed only now is named for whoever reads the log.
    """
    names = sorted(json.loads(LAST_FAILED.read_text())) if LAST_FAILED.exists() else []
    if not 0 < len(names) <= MOST_REPEATED:
        return False
    if _pytest("what failed, once more and alone", *SLOW, "--last-failed"):
        return False
    print("unsteady, passed alone: " + ", ".join(names), flush=True)
    return True


def pytest_command(*arguments: str) -> list[str]:
    """pytest in this environment."""
    return [sys.executable, "-m", "pytest", *arguments]
