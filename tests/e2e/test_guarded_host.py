"""A host whose owner limits benchlab: refused with the owner's note, and stopped while fio runs."""

from __future__ import annotations

import json
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


def test_the_stop_file_ends_fio(guarded: Guarded) -> None:
    guarded.limits(note="Ask Li.")
    run = guarded.run(300)
    until(lambda: guarded.box.pids_of("fio"), bool, 60, "fio runs")
    (guarded.owner / "stop").touch()
    until(lambda: guarded.box.pids_of("fio"), lambda pids: not pids, 60, "fio is gone")
    (case,) = cases(guarded.stack, ended(guarded.stack, run))
    assert (case["state"], case["failure_cause"]) == ("failed", "host")
    assert "ended by the host's owner" in case["reason"]
    assert "Ask Li." in case["reason"]
    (guarded.owner / "stop").unlink()
    (case,) = cases(guarded.stack, ended(guarded.stack, guarded.run()))
    assert case["state"] == "succeeded", case["reason"]
