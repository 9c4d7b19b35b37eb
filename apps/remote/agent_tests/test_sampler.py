"""device.log: the kernel's counters of the watched disks, on the tool's own time axis."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from apps.remote.agent.jobs import sampler
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.loops import Loop

pytestmark = pytest.mark.needs_root

WRITE = [
    "sh",
    "-c",
    'sleep 1.2; dd if=/dev/zero of="$0" bs=1M count=8 oflag=direct; sleep 1',
    "{target}",
]


def samples(client: Client, attempt: str) -> list[Message]:
    """The log's lines."""
    return [json.loads(line) for line in client.read(attempt, "device.log").splitlines()]


def test_samples_begin_before_the_tool_and_end_after_it(client: Client, loop: Loop) -> None:
    done = client.run(WRITE, target=loop.target())
    log = samples(client, done["attempt"])
    times = [entry["t"] for entry in log]
    seconds = done["exit"]["ended"]["monotonic"] - done["exit"]["started"]["monotonic"]
    assert times[0] >= 0
    assert times == sorted(times)
    # The axis begins before the tool, and the last sample comes after its end.
    assert times[-1] >= seconds - 1e-6
    slots = [int(t) for t in times[:-1]]
    assert len(slots) == len(set(slots)) >= 2
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
    assert len(names) >= 4
    assert names == [first.name, second.name] * (len(names) // 2)


def test_samples_keep_to_whole_seconds_however_late_one_was(
    tmp_path: Path, loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(now=100.5)
    monkeypatch.setattr(sampler, "time", SimpleNamespace(monotonic=lambda: clock.now))
    log = tmp_path / "device.log"
    sampling = sampler.Sampler(str(log), [loop.name])
    sampling.begin()
    for clock.now in (101.25, 101.5, 101.75, 104.25, 104.375, 104.5, 105.0):
        sampling.tick()
    sampling.end()
    times = [json.loads(line)["t"] for line in log.read_text().splitlines()]
    assert times == [0.0, 1.0, 3.75, 4.0, 4.5]


def test_without_a_disk_there_is_no_log(client: Client) -> None:
    done = client.run(["true"])
    assert "device.log" not in {entry["name"] for entry in done["files"]}


# The host


def test_host_counters_of_any_job_are_logged(client: Client) -> None:
    burn = "import time\nwhile time.process_time() < 1.3: pass"
    done = client.run([sys.executable, "-c", burn], ["sh", "-c", "exit 0"])
    lines = client.read(done["attempt"], "host.log").splitlines()
    log = [json.loads(line) for line in lines]
    assert [set(entry) for entry in log] == [{"t", "host"}] * len(log)
    told = [entry["host"] for entry in log]
    assert len(log) >= 3
    # The processor time of the tool and of nothing else on this machine.
    assert 1.2 <= told[-1]["tool"] - told[0]["tool"] < 10
    assert len(told[0]["cpu"]) == 8
    assert len(told[0]["cores"]) == os.cpu_count()
    assert all(0 <= busy <= 100 for one in told for busy in one["cores"])
    assert told[-1]["switches"] > told[0]["switches"]
    assert 0 < told[0]["used"] < os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
