"""A machine that stands still between two looks skips no signal of an ending."""

from __future__ import annotations

import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from apps.remote.agent.processes import tree as process_tree
from apps.remote.agent.processes.job_folder import Job


class StubbornProcess:
    """One process that dies of KILL alone, on a machine whose clock the test moves."""

    def __init__(self, *pauses: float) -> None:
        self.pauses = list(pauses)
        self.now = 1000.0
        self.signals: list[signal.Signals] = []

    def members(self, job: Job, excluded: set[int] | None = None) -> list[process_tree.Member]:
        alive = signal.SIGKILL not in self.signals
        return [process_tree.Member(pid=12345, parent=1, state="S", name="sh")] if alive else []

    def deliver(self, pid: int, number: signal.Signals) -> None:
        self.signals.append(number)

    def sleep(self, seconds: float) -> None:
        self.now += self.pauses.pop(0) if self.pauses else seconds


@pytest.mark.parametrize("pauses", [(), (60.0,), (0.2, 60.0), (60.0, 60.0)])
def test_an_ending_after_a_pause_of_the_machine_sends_every_signal(
    pauses: tuple[float, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    process = StubbornProcess(*pauses)
    monkeypatch.setattr(process_tree, "members", process.members)
    monkeypatch.setattr(process_tree, "send_signal", process.deliver)
    clock = SimpleNamespace(monotonic=lambda: process.now, sleep=process.sleep)
    monkeypatch.setattr(process_tree, "time", clock)
    survivors = process_tree.TreeTermination(Job(str(tmp_path), "a"), 0.2, set()).run()
    assert (survivors, process.signals) == (
        [],
        [signal.SIGTERM, signal.SIGINT, signal.SIGKILL],
    )
