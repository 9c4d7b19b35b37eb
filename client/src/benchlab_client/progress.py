"""A progress bar on stderr, shown only where people look: stdout and stderr are terminals."""

from __future__ import annotations

import shutil
import sys
from typing import TextIO

from benchlab_client.output import duration, local_time, plain
from benchlab_client.types import RunDetail

BAR_WIDTH = 24


class Progress:
    """One line that is replaced at each update and removed at the end."""

    def __init__(self, title: str, file: TextIO = sys.stderr) -> None:
        self._title, self._file = title, file
        self._visible = file.isatty() and sys.stdout.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_error: object) -> None:
        self._write("")

    def update(self, run: RunDetail) -> None:
        """Show the progress of a run."""
        self._write(f"{self._title}  {bar(run)}  {progress_text(run)}")

    def _write(self, text: str) -> None:
        if self._visible:
            columns = shutil.get_terminal_size().columns - 1
            self._file.write(f"\r\x1b[K{plain(text)[:columns]}")
            self._file.flush()


def bar(run: RunDetail) -> str:
    """Return `[#####-----]`: the share of the cases that have ended."""
    needed = needed_cases(run)
    share = run["progress"]["done"] / needed if needed else 0.0
    full = int(share * BAR_WIDTH)
    return f"[{'#' * full}{'-' * (BAR_WIDTH - full)}]"


def needed_cases(run: RunDetail) -> int:
    """Return the number of cases without those that need no measurement."""
    return run["progress"]["total"] - run["progress"]["skipped"]


def progress_text(run: RunDetail) -> str:
    """Return the state, the cases and the time in words."""
    counts = run["progress"]
    parts = [run["state"], f"{counts['done']} of {needed_cases(run)} cases"]
    parts += [
        f"{number} {name}"
        for name, number in (
            ("failed", counts["failed"]),
            ("lost", counts["lost"]),
            ("unconfirmed", counts["unconfirmed"]),
        )
        if number
    ]
    if run["state"] == "queued" and run["forecast"]:
        parts.append(f"expected start {local_time(run['forecast']['start'])}")
    elif run["state"] == "running" and counts["remaining"] is not None:
        parts.append(f"{duration(counts['remaining'])} left")
    return ", ".join(parts)
