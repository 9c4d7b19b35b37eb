"""A tool that runs until the test lets it go: no test needs to guess how long things take."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import until


class Gate:
    """Commands with `argv` wait before it, in a shell and short sleeps, until `open`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.script = f"while [ ! -e '{path}' ]; do sleep 0.05; done"
        self.argv = ["sh", "-c", self.script]

    def open(self) -> None:
        """Let every command go, now and later."""
        self.path.touch()


def blocked(client: Client, attempt: str) -> int:
    """The process that sleeps in the kernel for the job's lock, as soon as there is one.

    /proc/locks (proc(5)) marks those who wait with an arrow and ends the file in its inode.
    """
    inode = os.stat(client.base / "jobs" / attempt / "lock").st_ino

    def look() -> Any:
        lines = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        waiting = [line[5] for line in lines if line[1] == "->" and line[6].endswith(f":{inode}")]
        return waiting and waiting[0]

    return int(until(look))
