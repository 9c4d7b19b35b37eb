"""The lines of a text -> the runs of `rbd bench` in it, one for each call.

rbd prints its first line at each call: figures that come again without one are of a call whose
first line is not there, and nothing is known of its parameters. A line that a mailer wrapped is
joined.
"""

from __future__ import annotations

import re

from .call import COMMAND, RbdCall, calls_of, expects_value
from .run import (
    ANNOUNCED,
    ELAPSED,
    HEADING,
    MAX_LINE,
    PLACE,
    ROW,
    SHARE,
    RbdRun,
    announced,
    figures,
)

MAX_RUNS = 10_000
_MOST_JOINED = 3
_BEGINS = re.compile(
    r"^[ \t]*(?:bench(?:-write)?[ \t]+(?:type|io_size)\b|elapsed:|(?:read|write)_ops:)"
)
# What may follow in the next line of a line that is already understood.
_REST = re.compile(r"^[ \t]*(?:[KMGTP]?i?B/s|sequential)[ \t]*$")
_OPTIONS = re.compile(r"^[ \t]*(?:--?[a-z]|[\w.-]+/[\w./@-]+[ \t]*$)")


class Reader:
    """Every run, line by line."""

    def __init__(self) -> None:
        self.runs = [RbdRun()]
        self._preparing = False
        self._calls: list[RbdCall] = []
        self._begun = 0
        self._number = 0
        self._held: list[str] = []
        self._held_at = 0

    def line(self, line: str) -> None:
        """Take one line."""
        self._number += 1
        line = line[:MAX_LINE].rstrip()
        if self._held and _continues(self._held, line):
            self._held.append(line)
            return
        self.end()
        self._held, self._held_at = [line], self._number
        if not (_BEGINS.match(line) or COMMAND.search(line)):
            self.end()

    def end(self) -> None:
        """Take what was held for the line that may have gone on."""
        held, self._held = self._held, []
        if held:
            self._take(" ".join(part.rstrip("\\") for part in held), len(held))

    def _take(self, line: str, count: int) -> None:
        if place := PLACE.match(line):
            self._preparing = place["place"] < place["places"]
            self._calls, self._begun = [], 0
        elif calls := calls_of(line):
            self._calls, self._begun = calls, self._held_at
        elif self._report(line):
            run = self.runs[-1]
            if not run.first:
                self._called(run)
            run.at(self._held_at)
            run.at(self._held_at + count - 1)

    def _report(self, line: str) -> bool:
        """Take a line that rbd prints; False for any other line."""
        last = self.runs[-1]
        match = ANNOUNCED.match(line)
        heading = HEADING.match(line) is not None
        again = last.total is not None and ELAPSED.match(line) is not None
        begins = match or again or (heading and (last.rows or last.total))
        if begins and len(self.runs) < MAX_RUNS:
            self.runs.append(announced(match) if match else RbdRun())
        return bool(match) or heading or _figures(self.runs[-1], line)

    def _called(self, run: RbdRun) -> None:
        """The run is of the command above it, and the next one is of the loop around it, if any."""
        run.preparing = self._preparing
        run.call = self._calls.pop(0) if self._calls else RbdCall()
        if self._begun:
            run.at(self._begun)
        self._begun = 0


def read_runs(text: str) -> list[RbdRun]:
    """Every run that measures. A last line without its end may be half a figure and is not read."""
    reader = Reader()
    for line in text.split("\n")[:-1]:
        reader.line(line)
    reader.end()
    return [run for run in reader.runs if not run.preparing]


def _continues(held: list[str], line: str) -> bool:
    """Whether a line is the rest of the one before it, which stands in several lines."""
    if len(held) >= _MOST_JOINED or not line.strip():
        return False
    whole = " ".join(held)
    if COMMAND.search(whole):
        expected = held[-1].endswith("\\") or expects_value(held[-1])
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
