"""A host that lies, beside an honest one in the same run: it harms itself only, with a reason, and
neither the worker's memory nor its log grow with what it says.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from apps.remote.bootstrap import PATH_FOLDERS
from tests.e2e.lab import READ, add_box, cases, checked, ended, enrol, launch, until
from tests.e2e.stack import JSON, Process, Stack
from tests.harness.fixtures import no_box
from tests.harness.loops import loop_disk
from tests.harness.netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]

FAKE_AGENT = Path(__file__).parents[1] / "harness" / "fake_agent.py"
# Far above what a worker needs, far below a claimed terabyte.
MOST_MEMORY = 400 << 20
MOST_LINES = 100
SHORT = READ | {"runtime": 1}
_number = count(1)


class Pair(NamedTuple):
    """A running benchlab with one worker; an honest host and one that can lie, a disk in each."""

    stack: Stack
    worker: Process
    bad: NetnsHost
    hosts: dict[str, JSON]
    disks: dict[str, JSON]

    def tell(self, lie: str) -> None:
        """What the bad host says from now on; "" is the truth."""
        (self.bad.folder / "lie").write_text(lie)

    def asked(self, verb: str) -> int:
        """How often benchlab has asked this of the bad host."""
        return (self.bad.folder / "asked").read_text().split().count(verb)

    def run(self, params: JSON) -> JSON:
        """A run with a case on each host."""
        body = {
            "name": f"beside a bad host {next(_number)}",
            "repeats": 1,
            "steps": [{"tool": "fio", "params": params}],
            "targets": [f"disk:{self.disks[name]['id']}" for name in ("bad", "honest")],
        }
        return launch(self.stack, self.stack.post("plans/", body))

    def by_host(self, run: JSON) -> dict[str, JSON]:
        """The run's cases."""
        names = {host["id"]: name for name, host in self.hosts.items()}
        return {names[case["host"]]: case for case in cases(self.stack, run)}


def lying_box(folder: Path) -> NetnsHost:
    """Create a host whose python3 is the fake agent, first in root's PATH."""
    shell, python = folder / "shell", folder / "programs" / "python3"
    python.parent.mkdir(parents=True)
    (folder / "lie").touch()
    (folder / "asked").touch()
    real = shutil.which(
        "python3", path=PATH_FOLDERS
    )  # ours may lie in root's home, which the box hides
    python.write_text(f'#!/bin/sh\nexec {real} {FAKE_AGENT} {folder} "$@"\n')
    shell.write_text(f'#!/bin/sh\nPATH={python.parent}:$PATH exec /bin/bash "$@"\n')
    for path in (shell, python):
        path.chmod(0o755)
    return NetnsHost(folder, shell=str(shell))


@pytest.fixture(scope="module")
def both(stack: Stack, folder: Path) -> Iterator[Pair]:
    if reason := no_box():
        pytest.skip(reason)
    with ExitStack() as ending:
        worker = ending.enter_context(stack.worker())
        hosts, disks = {}, {}
        boxes = {"honest": NetnsHost(folder / "honest"), "bad": lying_box(folder / "bad")}
        for name, box in boxes.items():
            ending.callback(box.stop)
            box.start()
            node = ending.enter_context(loop_disk(64, folder))
            hosts[name] = add_box(stack, box, name)
            disks[name] = enrol(stack, hosts[name]["id"], node)
        yield Pair(stack, worker, boxes["bad"], hosts, disks)


@pytest.fixture
def pair(both: Pair) -> Iterator[Pair]:
    """Honest before and after; what the worker wrote and needed meanwhile stays small."""
    before = lines(both)
    yield both
    both.tell("")
    host = f"hosts/{both.hosts['bad']['id']}/"
    if both.stack.get(host)["held_since"]:  # two faults in a row
        both.stack.post(f"{host}release/")
    checked(both.stack, both.hosts["bad"]["id"])
    written = lines(both)[len(before) :]
    assert len(written) < MOST_LINES, "\n".join(written)
    assert not [line for line in written if line.startswith("Traceback")]
    assert peak(both) < MOST_MEMORY


def lines(pair: Pair) -> list[str]:
    """The worker's log."""
    return (pair.stack.home / "worker.log").read_text(errors="replace").splitlines()


def peak(pair: Pair) -> int:
    """Bytes of memory that the worker ever held at once."""
    status = Path(f"/proc/{pair.worker.pid}/status").read_text()
    found = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    assert found
    return int(found[1]) << 10


@pytest.mark.parametrize(
    ("lie", "reason"),
    [
        ("started_as_text", "started"),
        ("facts_not_finite", "is not JSON"),
        ("facts_nested", "nested deeper than"),
        ("hello_without_clock", "realtime"),
        ("huge_file", "bytes of output"),
        ("wrong_hash", "differs from the file"),
        ("many_files", "100000 of them, 500 are allowed"),
        ("half_a_million_files", "values"),
        ("a_million_files", "larger than allowed"),
    ],
)
def test_a_lie_ends_that_hosts_test_only(pair: Pair, lie: str, reason: str) -> None:
    pair.bad.restart_sshd()  # so that it says hello once more
    pair.tell(lie)
    run = ended(pair.stack, pair.run(SHORT))
    found = pair.by_host(run)
    assert found["honest"]["state"] == "succeeded", found["honest"]["reason"]
    assert found["honest"]["attempts"][0]["valid"]
    assert found["bad"]["state"] in ("failed", "unconfirmed")
    assert found["bad"]["failure_cause"] == "host"
    assert reason in found["bad"]["reason"]
    pair.tell("")
    await_proof(pair, run)


def await_proof(pair: Pair, run: JSON) -> None:
    """Once the host tells the truth, it proves what it did not prove before."""

    def look() -> list[bool]:
        return [
            row["confirmed"] for row in pair.stack.get(f"runs/{run['id']}/")["abandoned_attempts"]
        ]

    until(look, all, 60, "everything proven")


@pytest.mark.parametrize(
    ("lie", "verb", "reason"),
    [
        ("facts_not_finite", "facts", "is not JSON"),
        ("facts_nested", "facts", "nested deeper than"),
        ("hello_without_clock", "hello", "realtime"),
        ("ping_without_clock", "ping", "realtime"),
    ],
)
def test_a_check_of_nonsense_is_made_once(pair: Pair, lie: str, verb: str, reason: str) -> None:
    pair.tell(lie)
    if verb == "hello":
        pair.bad.restart_sshd()
    before = pair.asked(verb)
    host = checked(pair.stack, pair.hosts["bad"]["id"])
    assert host["health"] == "unreachable"
    assert reason in host["health_text"]
    # Meanwhile the worker sweeps, and would ask again.
    assert checked(pair.stack, pair.hosts["honest"]["id"])["health"] == "ok"
    assert pair.asked(verb) == before + 1


def test_a_silent_host_does_not_keep_a_cancelled_run(pair: Pair) -> None:
    stack, run = pair.stack, pair.run(READ | {"runtime": 300, "time_based": True})
    path = f"runs/{run['id']}/"

    def attempt(name: str) -> JSON:
        (row,) = stack.rows(f"cases/?run={run['id']}&host={pair.hosts[name]['id']}")
        found = stack.get(f"cases/{row['id']}/")["attempts"]
        return next(iter(found), {"state": "", "phase": ""})

    def phases() -> list[str]:
        return [attempt(name)["phase"] for name in pair.hosts]

    until(phases, lambda seen: seen == ["running"] * 2, 60, "both run")
    pair.bad.link(False)
    until(lambda: attempt("bad")["contact_lost_since"], bool, 60, "contact noticed as lost")
    stack.post(f"{path}cancel/")
    until(lambda: attempt("honest")["state"], lambda state: state == "cancelled", 60, "cancelled")
    assert stack.get(path)["state"] == "running"
    stack.post(f"{path}abandon/", {"reason": "its cable is gone"})
    assert ended(stack, run)["state"] in ("cancelled", "failed", "lost")
    bad = pair.by_host(run)["bad"]
    assert (bad["state"], bad["failure_cause"]) == ("unconfirmed", "host")
    assert "its cable is gone" in bad["reason"]
    assert [row["confirmed"] for row in stack.get(path)["abandoned_attempts"]] == [False]
    pair.bad.link(True)
    await_proof(pair, run)
    assert not pair.bad.pids_of("fio")
