"""Processes in /proc (man 5 proc)."""

from __future__ import annotations

import os
from pathlib import Path

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


def working_directory(pid: int) -> Path | None:
    """The working folder of a process, or None when it is gone or not ours to look at."""
    try:
        return Path(os.readlink(PROC / str(pid) / "cwd"))
    except OSError:
        return None


def running_in(directory: Path, name: str) -> set[int]:
    """The living processes called `name` whose working directory is `directory`.

    Both servers change into their data folder, so this finds the ones that serve it whatever a pid
    file says.
    """
    wanted = directory.resolve()
    found = set()
    for entry in PROC.iterdir():
        pid = int(entry.name) if entry.name.isdigit() else 0
        if pid and process_name(pid) == name and working_directory(pid) == wanted:
            found.add(pid)
    return found
