"""Cancel ends the whole tree, whoever of it ignores signals or lost its parent, and proves it."""

from __future__ import annotations

import os
import signal
import threading
import time
import uuid
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import Loop, alive, until
from apps.remote.agent_tests.processes import named, running, supervisor

STUBBORN = (
    "trap '' TERM INT; setsid sh -c \"trap '' TERM INT; sleep 60 & sleep 61\" & sleep 62; sleep 63"
)


@pytest.mark.timeout(60)  # a guard against hanging: the second signal is ten minutes away
def test_a_willing_tool_ends_on_the_first_signal(client: Client) -> None:
    script = "trap 'echo bye; exit 5' TERM; echo hi; while :; do sleep 0.05; done"
    attempt = client.start(["sh", "-c", script])
    until(lambda: client.read(attempt, "stdout"))
    answer = client.good("cancel", attempt=attempt, grace=600)
    assert (answer["survivors"], answer["state"]) == ([], "done")
    assert answer["exit"]["cancelled"] is True
    assert answer["exit"]["codes"] == [5]
    assert client.read(attempt, "stdout") == b"hi\nbye\n"


def test_a_tree_that_ignores_signals_is_killed(client: Client) -> None:
    attempt = client.start(["sh", "-c", STUBBORN])
    tree = until(lambda: len(named(attempt)) >= 4 and named(attempt))
    answer = client.good("cancel", attempt=attempt, grace=0.3)
    assert answer["survivors"] == []
    assert not any(alive(pid) for pid in tree)
    assert answer["exit"]["cancelled"] is True
    assert answer["exit"]["signals"] == ["SIGKILL"]


def test_the_tree_is_found_after_its_supervisor_died(client: Client) -> None:
    attempt = client.start(["sh", "-c", STUBBORN])
    tree = until(lambda: len(named(attempt)) >= 4 and named(attempt))
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    answer = client.good("cancel", attempt=attempt, grace=0.2)
    assert (answer["survivors"], answer["state"]) == ([], "lost")
    assert not any(alive(pid) for pid in tree)


def test_a_process_that_closed_every_descriptor_is_found_by_its_mark(client: Client) -> None:
    daemon = "import os, time\nos.setsid()\nos.closerange(0, 256)\ntime.sleep(60)"
    attempt = client.start(["sh", "-c", f"python3 -c '{daemon}' & sleep 60"])
    tree = until(lambda: len(named(attempt)) >= 3 and named(attempt))
    until(lambda: any(not os.listdir(f"/proc/{pid}/fd") for pid in named(attempt)))
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    assert client.good("cancel", attempt=attempt, grace=0.2)["survivors"] == []
    assert not any(alive(pid) for pid in tree)


def test_a_stopped_tool_is_ended_too(client: Client) -> None:
    attempt = client.start(["sleep", "60"])
    (pid,) = running(client, attempt)
    os.kill(pid, signal.SIGSTOP)
    answer = client.good("cancel", attempt=attempt, grace=1)
    assert (answer["survivors"], answer["exit"]["signals"]) == ([], ["SIGTERM"])


def test_a_stopped_supervisor_is_woken_to_end_its_tree(client: Client) -> None:
    attempt = client.start(["sleep", "60"])
    running(client, attempt)
    boss = supervisor(client, attempt)
    os.kill(boss, signal.SIGSTOP)
    answer = client.good("cancel", attempt=attempt, grace=0.1)
    # Only the supervisor writes how a job ended: left stopped, the job would be lost.
    assert (answer["survivors"], answer["state"]) == ([], "done")
    assert answer["exit"]["cancelled"] is True


def test_no_further_command_is_started(client: Client) -> None:
    attempt = client.start(["sleep", "60"], ["echo", "second"])
    running(client, attempt)
    answer = client.good("cancel", attempt=attempt, grace=1)
    assert len(answer["exit"]["codes"]) == 1
    assert client.read(attempt, "stdout") == b""


def test_cancel_while_settling_starts_nothing(client: Client) -> None:
    attempt = client.start(["echo", "ran"], settle=600)
    until(lambda: client.good("status", attempt=attempt)["phase"] == "settling")
    answer = client.good("cancel", attempt=attempt, grace=1)
    # A supervisor that slept on would be killed, and its job lost.
    assert answer["state"] == "done"
    assert (answer["exit"]["cancelled"], answer["exit"]["codes"]) == (True, [])
    assert client.read(attempt, "stdout") == b""


@pytest.mark.parametrize("delay", [0.0, 0.002, 0.005, 0.01, 0.02, 0.05])
def test_cancel_at_random_times_ends_in_one_state(client: Client, delay: float) -> None:
    """Right behind the launch, and around the tool's own end."""
    attempt = client.start(["sleep", "0.02"])
    time.sleep(delay)
    answer = client.good("cancel", attempt=attempt, grace=1)
    assert (answer["survivors"], answer["state"]) == ([], "done")
    again = client.good("cancel", attempt=attempt, grace=1)
    assert (again["exit"], again["survivors"]) == (answer["exit"], [])


def test_two_cancels_at_once_agree(client: Client, base: Path) -> None:
    attempt = client.start(["sh", "-c", STUBBORN])
    until(lambda: len(named(attempt)) >= 4)
    answers = []

    def go() -> None:
        with Client(base) as other:
            answers.append(other.good("cancel", attempt=attempt, grace=0.3))

    threads = [threading.Thread(target=go) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [a["survivors"] for a in answers] == [[], []]
    assert answers[0]["exit"] == answers[1]["exit"]


def test_other_jobs_are_left_alone(client: Client, gate: Gate) -> None:
    other = client.start(gate.argv)
    attempt = client.start(["sleep", "60"], attempt=str(uuid.uuid4()))
    until(lambda: named(attempt) and named(other))
    client.good("cancel", attempt=attempt, grace=1)
    gate.open()
    assert client.good("wait", attempt=other)["exit"]["codes"] == [0]


@pytest.mark.needs_root
def test_a_cancelled_fio_leaves_the_disk_free(client: Client, loop: Loop) -> None:
    argv = ["fio", "--name=t", "--filename={target}", "--rw=randwrite", "--time_based"]
    argv += ["--runtime=60", "--numjobs=3"]
    attempt = client.start(argv, target=loop.target())
    stat = Path(f"/sys/block/{loop.name}/stat")
    until(lambda: int(stat.read_text().split()[4]) > 100)
    assert client.good("cancel", attempt=attempt, grace=3)["survivors"] == []
    disk = os.open(loop.node, os.O_RDWR | os.O_EXCL)
    os.fsync(disk)  # what fio left in the page cache is the kernel's to write
    os.close(disk)
    before = written(stat)
    time.sleep(1)
    assert written(stat) == before


def written(stat: Path) -> list[str]:
    """Writes and sectors written (Documentation/block/stat.rst). Whoever looks for disks on this
    machine reads from all of them.
    """
    return stat.read_text().split()[4:7:2]
