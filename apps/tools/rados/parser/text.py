"""The text `rados bench` prints on a terminal, from bobtail to the present (ceph: obj_bencher.cc).

The lines changed little: "(s)" came with jewel, "Average IOPS" lost its colon for reads for some
releases, --show-time puts a time before some lines. Several runs may follow each other, with
prompts and notes between them.
"""

from __future__ import annotations

import re
from itertools import pairwise

from apps.tools.text import as_text

from .run import RadosRun, SecondRow, figure, whole

MAX_LINE = 1000
MAX_RUNS = 10_000
_TIME = re.compile(r"^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]{0,10}(?:[+-]\d{4}|Z)? ?")
OPERATIONS = ("write", "seq", "rand")
# What benchlab's own announcements begin with: "2/3: rados -p test bench 60 seq".
_PLACE = re.compile(r"(\d{1,2})/(\d{1,2}): rados ")
_THREADS = re.compile(r"(?:^|\s)(?:-t|--concurrent-ios)[ =]?(\d{1,6})(?=\s|$)")
# Maintaining 16 concurrent writes of 4194304 bytes to objects of size 4194304 for up to 10 seconds
ANNOUNCED = re.compile(
    r"Maintaining (?P<threads>\d{1,9}) concurrent writes of (?P<size>\d{1,18}) bytes"
    r"(?: to objects of size (?P<object>\d{1,18}))? for (?:up to |at least )?(?P<seconds>\d{1,9})"
)
HEADING = re.compile(r"sec\s+Cur ops\s+started\s+finished\s+avg MB/s\s+cur MB/s")
ROW = re.compile(r"\s*(\d{1,9})\s+\d{1,9}\s+\d{1,18}\s+(\d{1,18})\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)")
FIGURE = re.compile(
    r"\s*(?P<name>total time run|total (?:writes|reads) made|(?:write|read|object) size"
    r"|(?:(?:stddev|max|min) )?bandwidth|(?:average|stddev|max|min) (?:iops|latency))"
    r" *(?:\((?:MB/sec|s)\))? *:? *(?P<value>[-+\w.]{1,40})",
    re.IGNORECASE,
)


class Reader:
    """Takes line after line and sorts them into runs."""

    def __init__(self) -> None:
        self.runs: list[RadosRun] = [RadosRun()]

    def line(self, line: str) -> None:
        """Sort one line in."""
        line = _TIME.sub("", line[:MAX_LINE].replace("|", " ").replace("\t", " "))
        if match := FIGURE.match(line):
            self._figure(match)
        elif match := ROW.fullmatch(line.rstrip()):
            self._row(match)
        elif HEADING.search(line):
            self._next_run(self.runs[-1].figures)
        elif match := ANNOUNCED.search(line):
            self._next_run(self.runs[-1].started)
            _announce(self.runs[-1], match)
        else:
            self._command(line)

    def _command(self, line: str) -> None:
        asked = command(line)
        if asked is None:
            return
        self._next_run(self.runs[-1].started or self.runs[-1].operation)
        run = self.runs[-1]
        run.operation, run.asked = asked
        announced = _PLACE.match(line)
        run.place = (int(announced[1]), int(announced[2])) if announced else None
        threads = _THREADS.search(line)
        if threads:
            run.params["concurrency"] = int(threads[1])

    def _next_run(self, over: object) -> None:
        if over and len(self.runs) < MAX_RUNS:
            self.runs.append(RadosRun())

    def _figure(self, match: re.Match[str]) -> None:
        name = match["name"].lower().replace(" ", "_")
        if name == "total_time_run":
            self._next_run(self.runs[-1].figures)
        run = self.runs[-1]
        if not run.figures and name != "total_time_run" and "made" not in name:
            return  # a summary begins with its time; the same words elsewhere are somebody's notes
        if name == "total_writes_made":
            run.operation = "write"
        elif name == "total_reads_made" and run.operation == "write":
            run.operation = None
        run.figure(name, match["value"])

    def _row(self, match: re.Match[str]) -> None:
        second = whole(match[1])
        self._next_run(self.runs[-1].figures or (second == 0 and self.runs[-1].rows))
        average, current, latency = figure(match[3]), figure(match[4]), figure(match[6])
        self.runs[-1].add(SecondRow(second, whole(match[2]), average, current, latency))


def _announce(run: RadosRun, match: re.Match[str]) -> None:
    run.operation = "write"
    run.asked = float(match["seconds"])
    run.params |= {"concurrency": int(match["threads"]), "op_size": int(match["size"])}
    run.params["object_size"] = int(match["object"] or match["size"])


def command(line: str) -> tuple[str, float] | None:
    """Operation and seconds of a command line such as "rados bench -p test 10 write --no-cleanup"
    (rados(8): bench SECONDS MODE); None for any other line."""
    words = line.split()
    ends = [place for place, word in enumerate(words) if word.endswith("rados")]
    if not ends or "bench" not in words[ends[0] :]:
        return None
    asked = words[words.index("bench", ends[0]) + 1 :]
    for seconds, operation in pairwise(asked):
        if operation in OPERATIONS and seconds.isdecimal() and len(seconds) < 10:
            return operation, float(seconds)
    return None


def read_text(data: bytes) -> list[RadosRun]:
    """The runs of a text, announced ones without any figure left out. A last line without its end
    may be half a figure and is not read."""
    *lines, last = as_text(data).replace("\r", "\n").split("\n")
    reader = Reader()
    for line in lines:
        reader.line(line)
    run = reader.runs[-1]
    run.lost_end = _TIME.sub("", last).lstrip().startswith("Min latency")
    return [run for run in reader.runs if run.started]
