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


def test_it_starts_at_the_second_it_was_released_for(client: Client) -> None:
    attempt = held(client, "true")
    at = time.monotonic() + 0.3
    answer = client.good("release", attempt=attempt, at=at)
    assert (answer["state"], answer["at"]) == ("released", at)
    done = client.good("wait", attempt=attempt)["exit"]
    assert done["released"] == {"at": at, "started": done["started"]["monotonic"]}
    assert done["released"]["started"] >= at


def test_a_second_that_has_passed_starts_at_once(client: Client) -> None:
    attempt = held(client, "echo", "ran")
    before = time.monotonic()
    client.good("release", attempt=attempt, at=1.0)
    done = client.good("wait", attempt=attempt)["exit"]
    assert done["released"]["at"] == 1.0
    assert done["released"]["started"] > before
    assert client.read(attempt, "stdout") == b"ran\n"


def test_nothing_runs_before_the_release(client: Client) -> None:
    attempt = held(client, "echo", "ran")
    time.sleep(0.3)
    status = client.good("status", attempt=attempt)
    assert (status["state"], status["phase"], status["exit"]) == ("running", "ready", None)
    assert status["argv"] == [["echo", "ran"]]
    assert client.read(attempt, "stdout") == b""
    client.good("cancel", attempt=attempt, grace=1)


def test_the_first_release_stays(client: Client) -> None:
    attempt = held(client, "sleep", "0.5")
    at = time.monotonic() + 0.4
    assert client.good("release", attempt=attempt, at=at)["at"] == at
    assert client.good("release", attempt=attempt, at=at + 60)["at"] == at
    done = client.good("wait", attempt=attempt)["exit"]
    assert done["released"]["at"] == at
    again = client.good("release", attempt=attempt, at=at)
    assert (again["state"], again["at"]) == ("done", at)


def test_the_session_may_end_between(base: Path) -> None:
    with Client(base) as first:
        attempt = held(first, "echo", "ran")
    with Client(base) as second:
        second.good("release", attempt=attempt, at=0)
    with Client(base) as third:
        assert third.good("wait", attempt=attempt)["exit"]["codes"] == [0]


@pytest.mark.needs_root
def test_a_job_nobody_releases_is_refused_and_gives_back(client: Client, loop: Loop) -> None:
    before = loop.settings()
    tuning = [loop.want("rq_affinity", 2)]
    attempt = held(client, "echo", "ran", seconds=1.0, tuning=tuning, target=loop.target())
    assert loop.setting("rq_affinity") == "2"
    done = client.good("wait", attempt=attempt)
    assert done["state"] == "refused"
    assert done["refused"]["reasons"][0].startswith("Start: nobody released this job within 1 ")
    assert loop.settings() == before
    assert client.read(attempt, "stdout") == b""
    os.close(os.open(loop.node, os.O_RDWR | os.O_EXCL))
    answer = client.good("release", attempt=attempt, at=0)
    assert (answer["state"], answer["at"]) == ("refused", None)


@pytest.mark.parametrize("released", [False, True])
def test_a_cancel_is_heeded_while_it_waits(client: Client, released: bool) -> None:
    attempt = held(client, "echo", "ran")
    if released:
        client.good("release", attempt=attempt, at=time.monotonic() + 600)
    answer = client.good("cancel", attempt=attempt, grace=1)
    assert (answer["state"], answer["survivors"]) == ("done", [])
    assert (answer["exit"]["cancelled"], answer["exit"]["ran"]) == (True, [])
    assert answer["exit"]["released"] is None
    assert client.read(attempt, "stdout") == b""


def test_a_shutdown_is_heeded_while_it_waits(client: Client) -> None:
    attempt = held(client, "echo", "ran")
    os.kill(supervisor(client, attempt), signal.SIGTERM)
    assert client.good("wait", attempt=attempt)["exit"]["cancelled"] is True


def test_a_release_comes_too_early_or_is_not_for_this_job(client: Client) -> None:
    early = client.start(["true"], hold={"seconds": 60}, settle=600)
    answer = client.ask("release", attempt=early, at=0)
    assert answer["error"] == "busy"
    assert "is not ready yet" in answer["message"]
    client.good("cancel", attempt=early, grace=1)
    free = client.start(["sleep", "30"])
    until(lambda: client.good("status", attempt=free)["phase"] == "running")
    assert "is not held" in client.ask("release", attempt=free, at=0)["message"]
    client.good("cancel", attempt=free, grace=1)
    assert client.good("release", attempt="never-was", at=0)["state"] == "absent"


@pytest.mark.parametrize("at", [-1, "soon", None, 1e18])
def test_a_moment_that_cannot_be_meant_is_not_taken(client: Client, at: object) -> None:
    attempt = held(client, "echo", "ran")
    assert client.ask("release", attempt=attempt, at=at)["error"] == "bad-request"
    assert client.good("status", attempt=attempt)["phase"] == "ready"
    client.good("cancel", attempt=attempt, grace=1)


@pytest.mark.parametrize("hold", [{}, {"seconds": 0}, {"seconds": "1"}, True, 5])
def test_a_hold_that_cannot_be_meant_is_not_started(client: Client, hold: Message) -> None:
    spec = {"attempt": "a", "commands": [{"argv": ["true"]}], "hold": hold}
    assert client.ask("launch", spec=spec)["error"] == "bad-request"
