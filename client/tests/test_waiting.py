"""Waiting: time limits, failures of the network, progress, interruption."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import httpx
import pytest

from benchlab_client import Client, NetworkError, ServerError, TimeOverError
from benchlab_client.cli import main
from benchlab_client.progress import Progress, bar, progress_text
from benchlab_client.types import RunDetail
from benchlab_client.waiting import Waiter


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.time = 0.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


def waiter(clock: Clock, timeout: float | None = None) -> Waiter:
    return Waiter(timeout, now=clock.now, sleep=clock.sleep)


def answers(*values: Any) -> Any:
    left = list(values)

    def read() -> Any:
        value = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(value, Exception):
            raise value
        return value

    return read


def ended(value: Any) -> bool:
    return bool(value == "done")


def test_polls_become_rare_but_no_rarer_than_ten_seconds() -> None:
    clock = Clock()
    assert waiter(clock).until(answers(*["no"] * 20, "done"), ended) == "done"
    assert clock.slept[0] == 0.5
    assert max(clock.slept) == 10.0


def test_a_time_limit_ends_waiting_exactly() -> None:
    clock = Clock()
    with pytest.raises(TimeOverError):
        waiter(clock, 25.0).until(answers("no"), ended)
    assert clock.time == pytest.approx(25.0)


def test_failures_between_answers_are_survived() -> None:
    clock = Clock()
    away = NetworkError("away")
    broken = ServerError(500, "server_error", "broken", {})
    found = waiter(clock).until(answers("no", away, away, broken, "no", away, "done"), ended)
    assert found == "done"


def test_a_server_that_stays_away_ends_waiting() -> None:
    clock = Clock()
    with pytest.raises(NetworkError):
        waiter(clock).until(answers(NetworkError("away")), ended)
    assert 300 < clock.time < 320


@pytest.mark.parametrize("status", [401, 404])
def test_a_refusal_ends_waiting_at_once(status: int) -> None:
    clock = Clock()
    with pytest.raises(ServerError):
        waiter(clock).until(answers(ServerError(status, "k", "No.", {})), ended)
    assert clock.slept == []


def run(**fields: Any) -> RunDetail:
    counts = {
        "total": 42, "done": 10, "succeeded": 9, "failed": 1, "lost": 0, "unconfirmed": 0,
        "cancelled": 0, "skipped": 2, "elapsed": 60.0, "remaining": 200.4, "late": 0.0,
    }  # fmt: skip
    known = {"id": 1, "name": "r", "state": "running", "forecast": None, "progress": counts}
    made: RunDetail = {**known, **fields}  # type: ignore[typeddict-item] # what is read
    return made


def test_progress_has_counts_and_time() -> None:
    assert progress_text(run()) == "running, 10 of 40 cases, 1 failed, 3 min 20 s left"
    assert bar(run()) == "[" + "#" * 6 + "-" * 18 + "]"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stdout_is_terminal", [True, False])
def test_the_bar_is_for_terminals_only(
    stdout_is_terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal() if stdout_is_terminal else io.StringIO())
    file = Terminal()
    with Progress("run 1", file) as progress:
        progress.update(run())
    assert ("10 of 40" in file.getvalue()) == stdout_is_terminal


def test_ctrl_c_names_the_command_that_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("BENCHLAB_URL", "http://lab.example")
    monkeypatch.setenv("BENCHLAB_TOKEN", "token")
    monkeypatch.setattr(Client, "run", interrupted)
    assert main(["wait", "7", "8"]) == 130
    assert "benchlab wait 7 8" in capsys.readouterr().err


def test_watch_prints_changes_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    states = ["queued", "running", "running", "succeeded"]
    counts = run()["progress"]

    def handler(_request: httpx.Request) -> httpx.Response:
        state = states.pop(0) if len(states) > 1 else states[0]
        return httpx.Response(200, json={**run(), "state": state, "progress": counts})

    monkeypatch.setattr("benchlab_client.waiting.time.sleep", lambda _seconds: None)
    monkeypatch.setattr("benchlab_client.waiting.FIRST_DELAY", 0.0)
    real = Client.__init__

    def init(self: Client, *words: Any) -> None:
        real(self, "http://lab", "token", http=httpx.MockTransport(handler))

    monkeypatch.setattr(Client, "__init__", init)
    assert main(["watch", "1", "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["state"] for line in lines] == ["queued", "running", "succeeded"]
