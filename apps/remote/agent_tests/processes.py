"""The processes of a job, as a test sees them from outside of the agent."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import alive, until

ENDED = ("refused", "done", "lost", "absent")


def supervisor(client: Client, attempt: str) -> int:
    """The supervisor's process id."""
    path = client.base / "jobs" / attempt / "supervisor"
    return int(until(lambda: path.exists() and path.read_text()))


def named(attempt: str) -> list[int]:
    """Every process that carries the attempt's mark in its environment."""
    mark, found = f"BENCHLAB_ATTEMPT={attempt}".encode(), []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0") and alive(folder.name):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def running(client: Client, attempt: str, seconds: float = 200.0) -> list[int]:
    """The tool's processes, as soon as there are any. Fails with the agent's own words where the
    job has ended before.
    """

    def look() -> list[int]:
        found = named(attempt)
        if not found:
            status = client.good("status", attempt=attempt)
            assert status["state"] not in ENDED, status
        return found

    # Long: a journal goes to the disk before the tool starts, behind all that others write.
    pids: list[int] = until(look, seconds)
    return pids


def kill(pid: int) -> None:
    """kill -9, of a process that may have ended by itself."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
