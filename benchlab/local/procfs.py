"""Processes in /proc (man 5 proc)."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from signal import Signals

PROC = Path("/proc")


def process_name(pid: int) -> str:
    """The kernel's name of a process (at most 15 bytes), or "" when it is gone or a zombie."""
    try:
        status = (PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return ""
    # "pid (name) state ...": the name may hold blanks and brackets, so cut at the last one.
    name, _, rest = status.partition("(")[2].rpartition(")")
    return "" if rest.split()[:1] in (["Z"], ["X"]) else name


def running_in(directory: Path, name: str) -> set[int]:
    """The living processes called `name` whose working directory is `directory`.

    Both servers change into their data folder, so this finds the ones that serve it whatever a pid
    file says.
    """
    wanted = directory.resolve()
    found = set()
    for entry in PROC.iterdir():
        with contextlib.suppress(OSError, ValueError):
            pid = int(entry.name)
            if process_name(pid) == name and Path(os.readlink(entry / "cwd")) == wanted:
                found.add(pid)
    return found


def end_running_in(directory: Path, name: str, polite: Signals, patience: float) -> None:
    """End them: with the signal `polite`, and after `patience` seconds with SIGKILL."""
    kill_at = time.monotonic() + patience
    for pid in running_in(directory, name):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, polite)
    while left := running_in(directory, name):
        for pid in left if time.monotonic() > kill_at else ():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
