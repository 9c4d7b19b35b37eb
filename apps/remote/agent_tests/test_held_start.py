"""A held job is prepared, waits for its release, and starts at the second it was given."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.loops import Loop, until
from apps.remote.agent_tests.processes import supervisor


def held(client: Client, *argv: str, seconds: float = 600.0, **spec: object) -> str:
    """A job that is ready and waits."""
    attempt = client.start(list(argv), hold={"seconds": seconds}, **spec)
    until(lambda: client.good("status", attempt=attempt)["phase"] == "ready")
    return attempt


def test_held_job_starts_at_its_start_time(client: Client) -> None:
    attempt = held(client, "true")
    at = time.monotonic() + 0.3
    answer = client.good("start_held", attempt=attempt, start_at=at)
    assert (answer["state"], answer["start_at"]) == ("scheduled", at)
    done = client.good("wait", attempt=attempt)["exit"]
    assert done["held_start"] == {"start_at": at, "started_at": done["started"]["monotonic"]}
    assert done["held_start"]["started_at"] >= at


def test_held_job_with_past_start_time_starts_at_once(client: Client) -> None:
    attempt = held(client, "echo", "ran")
    before = time.monotonic()
    client.good("start_held", attempt=attempt, start_at=1.0)
    done = client.good("wait", attempt=attempt)["exit"]
    assert done["held_start"]["start_at"] == 1.0
    assert done["held_start"]["started_at"] > before
    assert client.read(attempt, "stdout") == b"ran\n"


def test_held_job_without_start_time_runs_nothing(client: Client) -> None:
    attempt = held(client, "echo", "ran")
    time.sleep(0.3)
    status = client.good("status", attempt=attempt)
    assert (status["state"], status["phase"], status["exit"]) == ("running", "ready", None)
    assert status["argv"] == [["echo", "ran"]]
    assert client.read(attempt, "stdout") == b""
    client.good("cancel", attempt=attempt, grace=1)


def test_second_start_time_is_ignored(client: Client) -> None:
    attempt = held(client, "sleep", "0.5")
    at = time.monotonic() + 0.4
    assert client.good("start_held", attempt=attempt, start_at=at)["start_at"] == at
    assert client.good("start_held", attempt=attempt, start_at=at + 60)["start_at"] == at
    done = client.good("wait", attempt=attempt)["exit"]
    assert done["held_start"]["start_at"] == at
    again = client.good("start_held", attempt=attempt, start_at=at)
    assert (again["state"], again["start_at"]) == ("done", at)


def test_the_session_may_end_between(base: Path) -> None:
    with Client(base) as first:
        attempt = held(first, "echo", "ran")
    with Client(base) as second:
        second.good("start_held", attempt=attempt, start_at=0)
    with Client(base) as third:
        assert third.good("wait", attempt=attempt)["exit"]["codes"] == [0]


@pytest.mark.needs_root
def test_held_job_without_start_is_refused_and_restored(client: Client, loop: Loop) -> None:
    before = loop.settings()
    tuning = [loop.want("rq_affinity", 2)]
    attempt = held(client, "echo", "ran", seconds=1.0, tuning=tuning, target=loop.target())
    assert loop.setting("rq_affinity") == "2"
    done = client.good("wait", attempt=attempt)
    assert done["state"] == "refused"
    assert done["refused"]["reasons"][0].startswith("Start: no start time within 1 ")
    assert loop.settings() == before
    assert client.read(attempt, "stdout") == b""
    os.close(os.open(loop.node, os.O_RDWR | os.O_EXCL))
    answer = client.good("start_held", attempt=attempt, start_at=0)
    assert (answer["state"], answer["start_at"]) == ("refused", None)


@pytest.mark.parametrize("released", [False, True])
def test_held_job_can_be_cancelled(client: Client, released: bool) -> None:
    attempt = held(client, "echo", "ran")
    if released:
        client.good("start_held", attempt=attempt, start_at=time.monotonic() + 600)
    answer = client.good("cancel", attempt=attempt, grace=1)
    assert (answer["state"], answer["survivors"]) == ("done", [])
    assert (answer["exit"]["cancelled"], answer["exit"]["ran"]) == (True, [])
    assert answer["exit"]["held_start"] is None
    assert client.read(attempt, "stdout") == b""


def test_a_shutdown_is_heeded_while_it_waits(client: Client) -> None:
    attempt = held(client, "echo", "ran")
    os.kill(supervisor(client, attempt), signal.SIGTERM)
    assert client.good("wait", attempt=attempt)["exit"]["cancelled"] is True


def test_start_of_unready_or_unheld_job_is_refused(client: Client) -> None:
    early = client.start(["true"], hold={"seconds": 60}, settle=600)
    answer = client.ask("start_held", attempt=early, start_at=0)
    assert answer["error"] == "busy"
    assert "is not ready yet" in answer["message"]
    client.good("cancel", attempt=early, grace=1)
    free = client.start(["sleep", "30"])
    until(lambda: client.good("status", attempt=free)["phase"] == "running")
    assert "is not held" in client.ask("start_held", attempt=free, start_at=0)["message"]
    client.good("cancel", attempt=free, grace=1)
    assert client.good("start_held", attempt="never-was", start_at=0)["state"] == "absent"


@pytest.mark.parametrize("at", [-1, "soon", None, 1e18])
def test_invalid_start_time_is_a_bad_request(client: Client, at: object) -> None:
    attempt = held(client, "echo", "ran")
    assert client.ask("start_held", attempt=attempt, start_at=at)["error"] == "bad-request"
    assert client.good("status", attempt=attempt)["phase"] == "ready"
    client.good("cancel", attempt=attempt, grace=1)


@pytest.mark.parametrize("hold", [{}, {"seconds": 0}, {"seconds": "1"}, True, 5])
def test_a_hold_that_cannot_be_meant_is_not_started(client: Client, hold: Message) -> None:
    spec = {"attempt": "a", "commands": [{"argv": ["true"]}], "hold": hold}
    assert client.ask("launch", spec=spec)["error"] == "bad-request"
