"""device.log: the kernel's counters of the watched disks, on the tool's own time axis."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import Loop

pytestmark = pytest.mark.needs_root

WRITE = [
    "sh",
    "-c",
    'sleep 1.2; dd if=/dev/zero of="$0" bs=1M count=8 oflag=direct; sleep 1',
    "{target}",
]


def samples(client: Client, attempt: str) -> list[dict[str, Any]]:
    """The log's lines."""
    return [json.loads(line) for line in client.read(attempt, "device.log").splitlines()]


def test_samples_begin_before_the_tool_and_end_after_it(client: Client, loop: Loop) -> None:
    done = client.run(WRITE, target=loop.target())
    log = samples(client, done["attempt"])
    times = [entry["t"] for entry in log]
    seconds = done["exit"]["ended"]["monotonic"] - done["exit"]["started"]["monotonic"]
    assert 0 <= times[0] < 0.05
    assert times == sorted(times)
    assert abs(times[-1] - seconds) < 0.3
    assert [round(t) for t in times[:3]] == [0, 1, 2]
    assert {entry["name"] for entry in log} == {loop.name}
    # Field 7 of Documentation/block/stat.rst: sectors of 512 bytes written.
    assert (log[-1]["stat"][6] - log[0]["stat"][6]) * 512 == 8 << 20


def test_other_disks_are_watched_by_identity(
    client: Client, make_loop: Callable[..., Loop]
) -> None:
    first, second = make_loop("a"), make_loop("b")
    watch = [second.identity, first.identity, "serial:no:such"]
    done = client.run(["sleep", "0.1"], target=first.target(), watch=watch)
    names = [entry["name"] for entry in samples(client, done["attempt"])]
    assert names == [first.name, second.name] * 2


def test_without_a_disk_there_is_no_log(client: Client) -> None:
    done = client.run(["true"])
    assert "device.log" not in {entry["name"] for entry in done["files"]}
