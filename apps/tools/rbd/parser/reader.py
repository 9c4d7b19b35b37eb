"""Parse the lines of a text into the runs of `rbd bench`, one for each call.

rbd prints its first line at each call. A second report without that line is another call with
unknown parameters. Lines that a mail program wrapped are joined.
"""

from __future__ import annotations

import re

from .call import COMMAND, RbdCall, calls_of, expects_value
from .run import (
    ANNOUNCED,
    ELAPSED,
    HEADING,
    MAX_LINE,
    ROW,
    SHARE,
    STEP,
    RbdRun,
    announced,
    figures,
)

MAX_RUNS = 10_000
_MAX_JOINED = 3
_BEGINS = re.compile(
    r"^[ \t]*(?:bench(?:-write)?[ \t]+(?:type|io_size)\b|elapsed:|(?:read|write)_ops:)"
)
# Second line of a wrapped line that is already complete.
_REST = re.compile(r"^[ \t]*(?:[KMGTP]?i?B/s|sequential)[ \t]*$")
_OPTIONS = re.compile(r"^[ \t]*(?:--?[a-z]|[\w.-]+/[\w./@-]+[ \t]*$)")


class Reader:
    """Line parser that collects the runs."""

    def __init__(self) -> None:
        self.runs = [RbdRun()]
        self._preparing = False
        self._calls: list[RbdCall] = []
        self._command_line = 0
        self._number = 0
        self._buffer: list[str] = []
        self._buffer_start = 0

    def line(self, line: str) -> None:
        """Parse one line."""
        self._number += 1
        line = line[:MAX_LINE].rstrip()
        if self._buffer and _continues(self._buffer, line):
            self._buffer.append(line)
            return
        self.end()
        self._buffer, self._buffer_start = [line], self._number
        if not (_BEGINS.match(line) or COMMAND.search(line)):
            self.end()

    def end(self) -> None:
        """Parse the buffered line, which may have had a continuation."""
        buffered, self._buffer = self._buffer, []
        if buffered:
            self._take(" ".join(part.rstrip("\\") for part in buffered), len(buffered))

    def _take(self, line: str, count: int) -> None:
        if step := STEP.match(line):
            self._preparing = step["step"] < step["steps"]
            self._calls, self._command_line = [], 0
        elif calls := calls_of(line):
            self._calls, self._command_line = calls, self._buffer_start
        elif self._report(line):
            run = self.runs[-1]
            if not run.first:
                self._called(run)
            run.at(self._buffer_start)
            run.at(self._buffer_start + count - 1)

    def _report(self, line: str) -> bool:
        """Parse a line of rbd's output; return False for any other line."""
        last = self.runs[-1]
        match = ANNOUNCED.match(line)
        heading = HEADING.match(line) is not None
        is_repeated = last.total is not None and ELAPSED.match(line) is not None
        begins = match or is_repeated or (heading and (last.rows or last.total))
        if begins and len(self.runs) < MAX_RUNS:
            self.runs.append(announced(match) if match else RbdRun())
        return bool(match) or heading or _figures(self.runs[-1], line)

    def _called(self, run: RbdRun) -> None:
        """Assign the command line above the run to it; the next run gets the loop's next call."""
        run.preparing = self._preparing
        run.call = self._calls.pop(0) if self._calls else RbdCall()
        if self._command_line:
            run.at(self._command_line)
        self._command_line = 0


def read_runs(text: str) -> list[RbdRun]:
    """Return every measured run.

    An incomplete last line is ignored, because its value may be truncated.
    """
    reader = Reader()
    for line in text.split("\n")[:-1]:
        reader.line(line)
    reader.end()
    return [run for run in reader.runs if not run.preparing]


def _continues(buffered: list[str], line: str) -> bool:
    """Return True if a line continues the buffered one."""
    if len(buffered) >= _MAX_JOINED or not line.strip():
        return False
    whole = " ".join(buffered)
    if COMMAND.search(whole):
        expected = buffered[-1].endswith("\\") or expects_value(buffered[-1])
        return expected or bool(_OPTIONS.match(line))
    if any(mark.match(whole) for mark in (ANNOUNCED, ELAPSED, SHARE)):
        return bool(_REST.match(line))
    joined = f"{whole} {line}"
    return any(mark.match(joined) for mark in (ANNOUNCED, ELAPSED, SHARE))


def _figures(run: RbdRun, line: str) -> bool:
    if match := ELAPSED.match(line):
        run.total = run.total or figures(match)
    elif match := SHARE.match(line):
        run.shares.setdefault(match["operation"], figures(match))
    elif run.total is None and (match := ROW.match(line)):
        run.row(int(match["second"]), int(match["ops"]))
    else:
        return False
    return True
