"""A broker that accepts connections and does not answer."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from celery import Celery

from apps.common import hints
from benchlab.local.paths import Home
from benchlab.local.processes import running
from benchlab.local.valkey import Valkey


@pytest.fixture
def broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[subprocess.Popen[bytes]]:
    valkey = Valkey.at(Home(tmp_path / "home").make())
    url = valkey.url.replace("unix://", "redis+socket://").replace("?db=", "?virtual_host=")
    monkeypatch.setattr(hints, "current_app", Celery("silent", broker=url, set_as_current=False))
    monkeypatch.setattr(hints, "_paused_until", 0.0)
    with running(valkey.service()) as process:
        yield process
        process.send_signal(signal.SIGCONT)


def seconds_of_a_hint() -> float:
    began = time.monotonic()
    hints.send("execution.reconcile_run", 1)
    return time.monotonic() - began


def test_hint_silent_broker_costs_one_short_wait(
    broker: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seconds_of_a_hint() < 3
    assert hints._paused_until == 0
    broker.send_signal(signal.SIGSTOP)
    assert seconds_of_a_hint() < 9, "a connection from before"
    assert seconds_of_a_hint() < 1, "no second attempt at once"
    monkeypatch.setattr(hints, "_paused_until", 0.0)
    assert seconds_of_a_hint() < 9, "a new connection"
    broker.send_signal(signal.SIGCONT)
    monkeypatch.setattr(hints, "_paused_until", 0.0)
    assert seconds_of_a_hint() < 3
    assert hints._paused_until == 0, "the broker answers again"


def test_hint_silent_broker_24_at_once_do_not_queue(broker: subprocess.Popen[bytes]) -> None:
    broker.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    with ThreadPoolExecutor(6) as threads:
        waits = list(threads.map(lambda _: seconds_of_a_hint(), range(24)))
    assert time.monotonic() - began < 12
    assert max(waits) < 9
