"""The supervisor restarts what dies and leaves nothing behind, however it ends itself."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from benchlab.local import supervisor as module
from benchlab.local.errors import StartError
from benchlab.local.procfs import process_name
from benchlab.local.service import Service
from benchlab.local.supervisor import Supervisor
from tests.harness.waiting import start_python, until

ENV = dict(os.environ)
STUBBORN = "trap '' TERM INT; echo $$ >> {0}; sleep 600 & echo $! >> {0}; while :; do sleep 1; done"

HOLDER = """
import os, sys
from pathlib import Path
from benchlab.local.service import Service
from benchlab.local.supervisor import Stopped, Supervisor
try:
    with Supervisor(print) as supervisor:
        script, log = sys.argv[1], Path(sys.argv[2])
        supervisor.start(Service("stubborn", ("sh", "-c", script), log, patience=0.5))
        supervisor.watch()
except Stopped:
    print("stopped")
"""


def shell(tmp_path: Path, script: str, **more: object) -> Service:
    return Service("child", ("sh", "-c", script), tmp_path / "log", **more)  # type: ignore[arg-type]  # forwarded as given


def pids(path: Path) -> list[int]:
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def stubborn(tmp_path: Path) -> tuple[subprocess.Popen[bytes], list[int]]:
    """A supervisor in its own process whose child ignores TERM and has a child itself."""
    notes = tmp_path / "pids"
    holder = start_python(HOLDER, STUBBORN.format(notes), str(tmp_path / "log"))
    until(lambda: len(pids(notes)) == 2)
    return holder, pids(notes)


def test_a_child_that_ignores_term_is_gone_after_the_stop(tmp_path: Path) -> None:
    holder, children = stubborn(tmp_path)
    holder.send_signal(signal.SIGTERM)
    assert holder.wait(60) == 0
    assert not process_name(children[0])
    # Its own child is killed with it; nobody waits for that one, so it may end a moment later.
    until(lambda: not process_name(children[1]))


def test_kill_9_of_the_supervisor_takes_its_child_along(tmp_path: Path) -> None:
    holder, children = stubborn(tmp_path)
    holder.kill()
    holder.wait()
    until(lambda: not process_name(children[0]))
    os.kill(children[1], signal.SIGKILL)  # the grandchild is the shell's own to end


def test_a_child_that_dies_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RESTART", 0.05)
    said: list[str] = []
    with Supervisor(said.append) as supervisor:
        supervisor.start(shell(tmp_path, f"echo x >> {tmp_path}/lives; sleep 0.05; exit 3"))
        supervisor.step(
            ["sh", "-c", f"until [ $(wc -l < {tmp_path}/lives) -ge 3 ]; do :; done"], ENV
        )
    assert any("child ended with code 3" in line for line in said)


def test_waiting_for_a_child_that_ends_says_why(tmp_path: Path) -> None:
    with Supervisor(print) as supervisor:
        child = supervisor.start(shell(tmp_path, "echo no room; exit 7", ready=lambda: False))
        with pytest.raises(StartError, match=r"(?s)child ended with code 7.*no room"):
            supervisor.wait_ready(child)


def test_a_step_gives_its_exit_code() -> None:
    with Supervisor(print) as supervisor:
        assert supervisor.step(["sh", "-c", "exit 4"], ENV) == 4


def test_signal_handlers_are_given_back() -> None:
    before = [signal.getsignal(number) for number in module.STOP_SIGNALS]
    with Supervisor(print):
        pass
    assert [signal.getsignal(number) for number in module.STOP_SIGNALS] == before
