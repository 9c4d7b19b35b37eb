"""The result of a run in exit.json, and how it is worked out."""

import os
import signal

from ..shapes import Moment, Result


def nothing_run() -> Result:
    """The result of a run before its first command: `times` are each command's begin and end in
    monotonic seconds, `given_up` the numbers of those always run that took too long.
    """
    return {
        "ran": [],
        "codes": [],
        "signals": [],
        "parts": [],
        "times": [],
        "given_up": [],
        "started": None,
        "ended": None,
        "clock_step": 0.0,
        "timed_out": False,
        "over_limit": False,
        "pool_full": False,
        "cancelled": False,
    }


def clock_step(begin: Moment, end: Moment) -> float:
    """Seconds by which the wall clock was set during the run: what it advanced more than the steady
    one.
    """
    wall = end["realtime"] - begin["realtime"]
    return round(wall - (end["monotonic"] - begin["monotonic"]), 6)


def signal_name(number: int) -> str:
    """SIGKILL rather than 9; the number for a real-time signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def file_size(path: str) -> int:
    """Bytes; 0 for a file that is not there."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def folder_size(path: str) -> int:
    """Bytes of all files directly in a folder."""
    return sum(file_size(os.path.join(path, name)) for name in os.listdir(path))
