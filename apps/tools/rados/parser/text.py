"""Parse the text of `rados bench`, from bobtail to the present (ceph: obj_bencher.cc).

The lines changed little: "(s)" came with jewel, "Average IOPS" has no colon for reads in some
releases, --show-time prefixes some lines with a time. Several runs may follow each other, with
prompts and notes between them.
"""

from __future__ import annotations

import re

from apps.tools.loops import OpenLoops
from apps.tools.text import as_text
from apps.tools.wrapping import joined

from .call import RadosCall, call_of, calls_of, expects_value
from .run import RadosRun, SecondRow, figure, whole

MAX_LINE = 1000
MAX_RUNS = 10_000
MAX_LISTED = 100
_TIME = re.compile(r"^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]{0,10}(?:[+-]\d{4}|Z)? ?")
# Start of benchlab's announcements: "2/3: rados -p test bench 60 seq".
_ANNOUNCEMENT = re.compile(r"(\d{1,2})/(\d{1,2}): rados ")
_HINTS = re.compile(r"\s*hints = ([01])\s*")
# Maintaining 16 concurrent writes of 4194304 bytes to objects of size 4194304 for up to 10 seconds
ANNOUNCED = re.compile(
    r"Maintaining (?P<threads>\d{1,9}) concurrent writes of (?P<size>\d{1,18}) bytes"
    r"(?: to objects of size (?P<object>\d{1,18}))? for (?:up to |at least )?(?P<seconds>\d{1,9})"
    r"(?: seconds or (?P<limit>\d{1,18}) objects)?"
)
HEADING = re.compile(r"sec\s+Cur ops\s+started\s+finished\s+avg MB/s\s+cur MB/s")
ROW = re.compile(r"\s*(\d{1,9})\s+\d{1,9}\s+\d{1,18}\s+(\d{1,18})\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)")
FIGURE = re.compile(
    r"\s*(?P<name>total time run|total (?:writes|reads) made|(?:write|read|object) size"
    r"|(?:(?:stddev|max|min) )?bandwidth|(?:average|stddev|max|min) (?:iops|latency))"
    r" *(?:\((?:MB/sec|s)\))? *:? *(?P<value>[-+\w.]{1,40})",
    re.IGNORECASE,
)


# Second lines of wrapped announcements, rows and commands.
_ANNOUNCED_REST = re.compile(
    r"\s*(?:\d+|concurrent|writes|of|bytes|to|objects|size|for|up|seconds|or)\b"
)
_ANNOUNCED_END = re.compile(r"(?:seconds or \d+|\d) objects\s*$")
_ROW_BEGINS = re.compile(r"\s*\d{1,9}(?:\s+[-+.\de]{1,24}){3,6}\s*$")
_COMMAND_REST = re.compile(
    r"\s*(?:--?[A-Za-z]|bench\s|\d{1,9}\s+(?:write|seq|rand)\b|(?:write|seq|rand)\b)"
)
MIN_WRAPPED_LENGTH = 50  # mail programs do not wrap shorter lines


class Reader:
    """Line parser that assigns lines to runs."""

    def __init__(self) -> None:
        self.runs: list[RadosRun] = [RadosRun()]
        self._number, self._last = 0, 0
        self._continued = ""
        self._loops, self._called_at = OpenLoops(), -1
        self._listed: list[list[RadosCall]] = []
        self._waiting: list[RadosCall] = []

    def line(self, line: str, count: int = 1) -> None:
        """Parse one line, which takes `count` lines of the text.

        Text after a carriage return overwrites the line on a terminal; both parts are parsed.
        """
        self._number, self._last = self._last + 1, self._last + count
        for piece in line.split("\r"):
            self._piece(_TIME.sub("", piece[:MAX_LINE].replace("|", " | ").replace("\t", " ")))

    def _piece(self, line: str) -> None:
        if self._is_continued(line):
            return
        line, self._continued = self._continued + line, ""
        if self._report(line.replace("|", " ")) or self._command(line):
            self.runs[-1].at(self._number)
            self.runs[-1].at(self._last)

    def _report(self, line: str) -> bool:
        """Parse a line of rados's output; return False for any other line."""
        if match := FIGURE.match(line):
            return self._figure(match)
        if match := ROW.fullmatch(line.rstrip()):
            self._row(match)
        elif HEADING.search(line):
            self._next_run(self.runs[-1].figures)
        elif match := ANNOUNCED.search(line):
            self._next_run(self.runs[-1].started)
            _announce(self.runs[-1], match)
        elif match := _HINTS.fullmatch(line):
            self._next_run(self.runs[-1].started)
            self.runs[-1].update_params({"hints": match[1] == "1"})
        else:
            return False
        return True

    def _is_continued(self, line: str) -> bool:
        """Buffer a command line that ends with a backslash."""
        begins = self._continued or "rados" in line
        if not (begins and line.rstrip().endswith("\\")) or len(self._continued) > MAX_LINE:
            return False
        self._continued += line.rstrip()[:-1] + " "
        return True

    def _command(self, line: str) -> bool:
        looped = self._loops.commands(line)
        calls = calls_of(line, looped) if "rados" in line else []
        if not calls:
            return False
        run, announced = self.runs[-1], _ANNOUNCEMENT.match(line)
        below = self._number == self._called_at + 1 and announced is None
        self._called_at = self._last
        if run.operation and not run.started and below and len(self._listed) < MAX_LISTED:
            self._listed.append(calls)
            self._waiting = _in_order(self._listed)[1:]
            return True
        self._waiting = []
        self._next_run(run.started or run.operation)
        run = self.runs[-1]
        run.called(calls[0])
        self._listed, self._waiting = [calls], calls[1:]
        run.position = (int(announced[1]), int(announced[2])) if announced else None
        return True

    def _next_run(self, over: object) -> None:
        if over and len(self.runs) < MAX_RUNS:
            self.runs.append(RadosRun())
            # The next call of a loop or a list; all its commands precede the first output.
            if self._waiting:
                self.runs[-1].called(self._waiting.pop(0))

    def _figure(self, match: re.Match[str]) -> bool:
        name = match["name"].lower().replace(" ", "_")
        begins = name == "total_time_run" or "made" in name
        if name == "total_time_run" or (begins and name in self.runs[-1].figures):
            self._next_run(self.runs[-1].figures)
        run = self.runs[-1]
        if name in run.figures or not (run.figures or begins):
            return False  # the same text outside a report is a note
        if name == "total_writes_made":
            run.wrote()
        elif name == "total_reads_made":
            run.read()
        run.figure(name, match["value"])
        return True

    def _row(self, match: re.Match[str]) -> None:
        second = whole(match[1])
        self._next_run(self.runs[-1].figures or (second == 0 and self.runs[-1].rows))
        average, current, latency = figure(match[3]), figure(match[4]), figure(match[6])
        self.runs[-1].add(SecondRow(second, whole(match[2]), average, current, latency))


def _in_order(listed: list[list[RadosCall]]) -> list[RadosCall]:
    """Return the calls of consecutive commands in the order of their outputs.

    In a loop each command runs once per word.
    """
    if len({len(calls) for calls in listed}) == 1:
        return [call for calls in zip(*listed, strict=True) for call in calls]
    return [call for calls in listed for call in calls]


def _announce(run: RadosRun, match: re.Match[str]) -> None:
    run.wrote()
    run.requested_seconds = float(match["seconds"])
    size = int(match["size"])
    params = {"threads": int(match["threads"]), "bs": size, "object_size": size}
    if match["object"]:
        params["object_size"] = int(match["object"])
    if match["limit"] and int(match["limit"]):
        params["max_objects"] = int(match["limit"])
    run.update_params({**params})


def _is_wrapped(line: str, rest: str) -> bool:
    """Return True if a mail program wrapped a line of rados, or a command, before `rest`."""
    if not rest.strip() or len(line) + len(rest) > MAX_LINE:
        return False
    line = _TIME.sub("", line)
    if "Maintaining" in line:
        return _ANNOUNCED_REST.match(rest) is not None and not _ANNOUNCED_END.search(line)
    if _ROW_BEGINS.match(line):
        return ROW.fullmatch(f"{line.rstrip()} {rest.strip()}") is not None
    if "rados" not in line or len(line) < MIN_WRAPPED_LENGTH:
        return False
    expected = _COMMAND_REST.match(rest) is not None or expects_value(line)
    return expected and call_of(f"{line} {rest}") is not None


def read_text(data: bytes) -> list[RadosRun]:
    """Return the runs of a text; announced runs without any value are left out.

    An incomplete last line is ignored, because its value may be truncated.
    """
    *lines, last = as_text(data).split("\n")
    reader = Reader()
    for line, count in joined(lines, _is_wrapped):
        reader.line(line, count)
    run = reader.runs[-1]
    run.lost_end = _TIME.sub("", last).lstrip().startswith("Min latency")
    if run.lost_end:
        run.at(len(lines) + 1)
    return [run for run in reader.runs if run.started]
