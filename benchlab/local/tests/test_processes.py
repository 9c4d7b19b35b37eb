"""Services that end are restarted; none is left running, whatever ends the supervisor."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from benchlab.local import processes as module
from benchlab.local.errors import StartError
from benchlab.local.processes import Service, Supervisor, running
from tests.harness.waiting import start_python, until

ENV = dict(os.environ)
HOLDER = """
import sys
from pathlib import Path
from benchlab.local.processes import Service, Stopped, Supervisor
try:
    with Supervisor(print) as supervisor:
        supervisor.start(Service("child", ("sh", "-c", sys.argv[1]), Path(sys.argv[2])))
        supervisor.watch()
except Stopped:
    print("stopped")
"""


def shell(tmp_path: Path, script: str, **options: object) -> Service:
    return Service("child", ("sh", "-c", script), tmp_path / "log", **options)  # type: ignore[arg-type]  # forwarded as given


def holder(tmp_path: Path) -> tuple[subprocess.Popen[bytes], list[int]]:
    """A supervisor in its own process; the pids of its child and of the child's own."""
    notes = tmp_path / "pids"
    script = f"echo $$ > {notes}.new; sleep 600 & echo $! >> {notes}.new; mv {notes}.new {notes}"
    process = start_python(HOLDER, f"{script}; wait", str(tmp_path / "log"))
    until(notes.exists)
    return process, [int(line) for line in notes.read_text().split()]


def alive(pid: int) -> bool:
    """A zombie has no working directory any more."""
    return os.path.lexists(f"/proc/{pid}") and bool(_cwd(pid))


def _cwd(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def test_stop_ends_children_and_their_children(tmp_path: Path) -> None:
    process, pids = holder(tmp_path)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    until(lambda: not any(alive(pid) for pid in pids))


def test_kill_9_of_the_supervisor_ends_its_child(tmp_path: Path) -> None:
    process, (child, grandchild) = holder(tmp_path)
    process.kill()
    process.wait()
    until(lambda: not alive(child))
    os.kill(grandchild, signal.SIGKILL)  # the grandchild is the shell's own to end


def test_child_that_ends_is_restarted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RESTART_SECONDS", 0.05)
    lines: list[str] = []
    with Supervisor(lines.append) as supervisor:
        supervisor.start(shell(tmp_path, f"echo x >> {tmp_path}/lives; exit 3"))
        waiting = f"until [ $(wc -l < {tmp_path}/lives) -ge 3 ]; do :; done"
        supervisor.step(["sh", "-c", waiting], ENV)
    assert any("child ended with code 3" in line for line in lines)


def test_child_that_ends_before_it_answers_raises_with_its_log(tmp_path: Path) -> None:
    service = shell(tmp_path, "echo no room; exit 7", ready=lambda: False)
    with pytest.raises(StartError, match=r"(?s)code 7.*no room"), running(service):
        pass


def test_step_returns_the_exit_code_and_signal_handlers_come_back() -> None:
    before = [signal.getsignal(number) for number in module.STOP_SIGNALS]
    with Supervisor(print) as supervisor:
        assert supervisor.step(["sh", "-c", "exit 4"], ENV) == 4
    assert [signal.getsignal(number) for number in module.STOP_SIGNALS] == before
