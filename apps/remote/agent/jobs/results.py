"""The result of a job in exit.json."""

import os
import signal

from ..schema import Exit, HostTimestamp, TuningResult


def empty_exit() -> Exit:
    """Return the result before the first command.

    `times`: start and end of each command in monotonic seconds; `overdue`: numbers of `always`
    commands that took too long.
    """
    return {
        "ran": [],
        "codes": [],
        "signals": [],
        "parts": [],
        "times": [],
        "overdue": [],
        "started": None,
        "ended": None,
        "clock_step": 0.0,
        "timed_out": False,
        "over_limit": False,
        "pool_full": False,
        "owner_limit": "",
        "cancelled": False,
    }


def clock_step(begin: HostTimestamp, end: HostTimestamp) -> float:
    """Return the seconds by which the wall clock was set, relative to the monotonic clock."""
    wall = end["realtime"] - begin["realtime"]
    return round(wall - (end["monotonic"] - begin["monotonic"]), 6)


def signal_name(number: int) -> str:
    """Return SIGKILL for 9; the number of a real-time signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def file_size(path: str) -> int:
    """Return the size in bytes; 0 if the file is absent."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def folder_size(path: str) -> int:
    """Return the bytes of all files directly in a folder."""
    return sum(file_size(os.path.join(path, name)) for name in os.listdir(path))


def empty_tuning() -> TuningResult:
    """Return exit.json's `tuning` of a job without settings."""
    return {
        "applied": [],
        "changed": [],
        "restored": [],
        "conflicts": [],
        "failed": [],
        "unavailable": [],
        "effective": [],
    }
