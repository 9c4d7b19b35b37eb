"""bin/test: every check of the project, the failed ones listed at the end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchlab.standalone import apt, halves
from benchlab.standalone.apt_component import install_from
from benchlab.standalone.halves import FAST, SLOW, Half, pytest_command
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
STATIC_WORKERS = CORES
NAMES_SERVERS = frozenset({"DATABASE_URL", "REDIS_URL"})
LOW = ("nice", "-n", "15")
MOST_REPEATED = 3
"""More failures than this are no accident and are not tried again."""


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
        slow = None if shared else pool.submit(halves.run_quiet, SLOW, own)
        failed = run_static_checks()
        heading(f"pytest: {FAST.name}")
        code = halves.run(FAST, nice=LOW)
        slow_code, output = slow.result() if slow else halves.run_quiet(SLOW, own)
    heading(f"pytest: {SLOW.name}")
    print(output.strip(), flush=True)
    codes = {FAST: code, SLOW: slow_code}
    return failed + [f"pytest: {half.name}" for half in codes if not _passed(half, codes[half])]


def _passed(half: Half, code: int) -> bool:
    """Whether a half passed: at once, or with the few tests that failed tried once more, with the
    machine to themselves. A stall of seconds, or a sample drawn by chance, can fail one test of
    thousands; a real fault fails twice. What passed only now is named for whoever reads the log.
    """
    names = half.last_failed() if code == halves.FAILED else []
    if not 0 < len(names) <= MOST_REPEATED:
        return code == 0
    heading(f"pytest: what failed of {half.name}, once more and alone")
    if halves.run_failed(half):
        return False
    print("unsteady, passed alone: " + ", ".join(names), flush=True)
    return True
