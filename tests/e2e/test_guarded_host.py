"""A host whose owner limits benchlab: refused with the owner's note, and stopped while fio runs."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.lab import READ, add_box, cases, checked, ended, enrol, launch, plan, until
from tests.e2e.stack import JSON, Stack
from tests.harness.fixtures import no_box
from tests.harness.loops import loop_disk
from tests.harness.netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]


class Guarded(NamedTuple):
    """A host in a box, the folder of its owner, and a disk in it."""

    stack: Stack
    box: NetnsHost
    owner: Path
    host: JSON
    disk: JSON

    def limits(self, **limits: object) -> None:
        """Write the owner's file."""
        (self.owner / "limits.json").write_text(json.dumps(limits))

    def run(self, seconds: int = 1) -> JSON:
        params = READ | {"runtime": seconds, "time_based": True}
        return launch(self.stack, plan(self.stack, self.disk, params))


@pytest.fixture(scope="module")
def guarded(stack: Stack, folder: Path) -> Iterator[Guarded]:
    if reason := no_box():
        pytest.skip(reason)
    owner = folder / "owner"
    owner.mkdir(mode=0o755)
    shell = folder / "shell"
    shell.write_text(f'#!/bin/sh\nBENCHLAB_LIMITS_DIR={owner} exec /bin/bash "$@"\n')
    shell.chmod(0o755)
    with ExitStack() as ending:
        box = NetnsHost(folder / "guarded", shell=str(shell))
        ending.callback(box.stop)
        box.start()
        ending.enter_context(stack.worker())
        node = ending.enter_context(loop_disk(64, folder))
        host = add_box(stack, box, "guarded")
        yield Guarded(stack, box, owner, host, enrol(stack, host["id"], node))


def test_limits_are_obeyed_and_shown(guarded: Guarded) -> None:
    guarded.limits(tools=["iperf3"], note="Ask Li.")
    (case,) = cases(guarded.stack, ended(guarded.stack, guarded.run()))
    assert (case["state"], case["failure_cause"]) == ("failed", "host")
    assert case["reason"].endswith("do not include fio. Ask Li.")
    facts = checked(guarded.stack, guarded.host["id"])["facts"]["owner_limits"]
    assert facts["limits"] == {"tools": ["iperf3"], "note": "Ask Li."}
    guarded.limits(tools=["fio"], disks=[guarded.disk["identity"]])
    (case,) = cases(guarded.stack, ended(guarded.stack, guarded.run()))
    assert case["state"] == "succeeded", case["reason"]


def hours(begin: str, end: str) -> dict[str, str]:
    """Hours of the owner, in a zone where it is day."""
    is_day = 6 <= time.gmtime().tm_hour < 18
    return {"from": begin, "to": end, "zone": "UTC" if is_day else "Etc/GMT-12"}


def refused_reason(guarded: Guarded) -> str:
    (case,) = cases(guarded.stack, ended(guarded.stack, guarded.run()))
    assert (case["state"], case["failure_cause"]) == ("failed", "host")
    return str(case["reason"])


def test_limits_that_cannot_be_obeyed_refuse_the_run(guarded: Guarded) -> None:
    file = guarded.owner / "limits.json"
    guarded.limits(disk=["*"])
    assert "unknown limit 'disk'" in refused_reason(guarded)
    file.write_text('{"tools": ["fio"]')
    assert "is no JSON" in refused_reason(guarded)
    shown = checked(guarded.stack, guarded.host["id"])["facts"]["owner_limits"]
    assert "is no JSON" in shown["error"]
    guarded.limits(tools=["fio"])
    os.chown(file, 4242, 0)
    assert "must be root's" in refused_reason(guarded)
    os.chown(file, 0, 0)
    guarded.owner.chmod(0o775)
    assert "must be root's" in refused_reason(guarded)
    file.unlink()
    assert "must be root's" in refused_reason(guarded)
    guarded.owner.chmod(0o755)


def test_hours_that_pass_midnight_are_obeyed(guarded: Guarded) -> None:
    guarded.limits(hours=hours("00:02", "00:01"))
    (case,) = cases(guarded.stack, ended(guarded.stack, guarded.run()))
    assert case["state"] == "succeeded", case["reason"]
    guarded.limits(hours=hours("23:59", "00:01"))
    assert "Owner: tests run from 23:59 to 00:01" in refused_reason(guarded)


def test_the_stop_file_ends_fio(guarded: Guarded) -> None:
    guarded.limits(note="Ask Li.")
    run = guarded.run(300)
    until(lambda: guarded.box.pids_of("fio"), bool, 60, "fio runs")
    began = time.monotonic()
    (guarded.owner / "stop").touch()
    until(lambda: guarded.box.pids_of("fio"), lambda pids: not pids, 60, "fio is gone")
    # Two seconds on a host with a free CPU; this one runs the whole lab.
    assert time.monotonic() - began < 8
    (case,) = cases(guarded.stack, ended(guarded.stack, run))
    assert (case["state"], case["failure_cause"]) == ("failed", "host")
    assert "ended by the host's owner" in case["reason"]
    assert "Ask Li." in case["reason"]
    (guarded.owner / "stop").unlink()
    (case,) = cases(guarded.stack, ended(guarded.stack, guarded.run()))
    assert case["state"] == "succeeded", case["reason"]
