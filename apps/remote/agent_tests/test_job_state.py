"""Alive, done or lost: decided by who still holds the lock, whatever was killed."""

from __future__ import annotations

import json
import os
import shlex
import signal
import time
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.gate import Gate, blocked
from apps.remote.agent_tests.loops import Loop, alive, until
from apps.remote.agent_tests.processes import kill, named, running, supervisor

FIO = [
    "fio",
    "--name=t",
    "--filename={target}",
    "--rw=randwrite",
    "--bs=4k",
    "--time_based",
    "--direct=1",
]
FIO += ["--runtime=60", "--numjobs=2", "--output-format=json", "--output=result.json"]


@pytest.mark.needs_root
def test_after_supervisor_and_tool_were_killed_the_last_child_is_waited_for(
    client: Client, loop: Loop
) -> None:
    attempt = client.start(FIO, target=loop.target())
    tools = until(lambda: len(named(attempt)) >= 3 and named(attempt))
    stat = Path(f"/sys/block/{loop.name}/stat")
    # fio's jobs wait for their parent before the first write: killed earlier, they wait for ever.
    until(lambda: int(stat.read_text().split()[4]) > 1000)
    boss = supervisor(client, attempt)
    parent = min(tools)
    children = [pid for pid in tools if pid != parent]
    os.kill(boss, signal.SIGKILL)
    os.kill(parent, signal.SIGKILL)
    until(lambda: not alive(boss) and not alive(parent))
    assert any(alive(pid) for pid in children)
    assert client.good("status", attempt=attempt)["state"] == "running"
    client.send("wait", attempt=attempt)
    blocked(client, attempt)
    # What is left of fio may or may not stop by itself without its parent: the test ends it.
    for pid in children:
        kill(pid)
    answer, _ = client.receive()
    assert answer["state"] == "lost"
    # A process drops its descriptors a moment before it is gone.
    until(lambda: not any(alive(pid) for pid in children))
    assert answer["exit"] is None


def test_a_killed_supervisor_alone_loses_the_job_only_when_the_tool_is_gone(
    client: Client, gate: Gate
) -> None:
    attempt = client.start(gate.argv)
    running(client, attempt)
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    assert client.good("status", attempt=attempt)["state"] == "running"
    client.send("wait", attempt=attempt)
    blocked(client, attempt)
    gate.open()
    assert client.receive()[0]["state"] == "lost"


def test_a_job_is_not_done_while_an_orphan_of_it_lives(client: Client, gate: Gate) -> None:
    attempt = client.start(["sh", "-c", f"echo $$; (setsid {shlex.join(gate.argv)}) & exit 0"])
    tool = until(lambda: client.read(attempt, "stdout")).decode().strip()
    until(lambda: not Path(f"/proc/{tool}").exists())
    # It reaped the tool and sleeps again: the time of the end is taken.
    boss = Path(f"/proc/{supervisor(client, attempt)}/stat")
    until(lambda: boss.read_text().rpartition(")")[2].split()[0] == "S")
    opened = time.monotonic()
    assert client.good("status", attempt=attempt)["state"] == "running"
    gate.open()
    answer = client.good("wait", attempt=attempt)
    assert answer["exit"]["codes"] == [0]
    assert answer["exit"]["ended"]["monotonic"] < opened


def test_another_boot_loses_what_ran_in_it_and_keeps_what_was_done(client: Client) -> None:
    """A power cut leaves a free lock, the old boot id, and exit.json only where it was
    over.
    """
    done, cut = client.run(["true"])["attempt"], client.run(["true"])["attempt"]
    (client.base / "jobs" / cut / "exit.json").unlink()
    for attempt in (done, cut):
        (client.base / "jobs" / attempt / "boot_id").write_text("an-earlier-boot")
    assert client.good("status", attempt=done)["state"] == "done"
    assert client.good("wait", attempt=cut)["state"] == "lost"


def switches(pid: int) -> list[str]:
    """The counts of a process giving up the CPU or losing it (proc(5)): whoever sleeps on does
    neither.
    """
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return [line for line in lines if "ctxt_switches" in line]


def test_waiting_costs_nothing_and_disturbs_nobody(client: Client) -> None:
    """A waiter sleeps in the kernel, and is not taken for a member of the job by a cancel."""
    attempt = client.start(["sleep", "30"])
    waiting = client.send("wait", attempt=attempt)
    pid = blocked(client, attempt)
    before = switches(pid)
    time.sleep(0.5)
    assert switches(pid) == before
    with Client(client.base) as other:
        assert other.good("cancel", attempt=attempt, grace=1)["survivors"] == []
    message, _ = client.receive()
    assert (message["id"], message["state"]) == (waiting, "done")


def test_the_exit_file_is_whole_or_absent(client: Client) -> None:
    attempt = client.start(["sleep", "0.2"])
    path = client.base / "jobs" / attempt / "exit.json"
    while client.good("status", attempt=attempt)["state"] == "running":
        if path.exists():
            json.loads(path.read_text())
    assert json.loads(path.read_text())["codes"] == [0]
