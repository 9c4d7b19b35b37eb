"""Reader that groups the lines of fio's text into reports and jobs."""

from __future__ import annotations

import re
from itertools import groupby, takewhile

from apps.tools.values import Values

from . import patterns as pattern
from .announcements import Announcement
from .block import Block
from .runs import TextRun, latest

MAX_BLOCKS = 10_000
MAX_REMARKS = 50
_MAX_REMARK_LENGTH = 300
# Seconds: jobs of one call are reported at once; more distant results belong to several calls.
_MAX_GAP_SECONDS = 2.0


class Reader:
    """Reader of lines, which groups them into runs and jobs.

    A run ends at its summary. Another call, another client of the call, or its next status report
    follows.
    """

    def __init__(self) -> None:
        self.runs: list[TextRun] = [TextRun()]
        self.described = False
        self._client = ""
        self._number = 0
        self._remarks = 0
        self._seen: set[str] = set()
        self._in_sum = False

    @property
    def run(self) -> TextRun:
        """Return the current run."""
        return self.runs[-1]

    def line(self, number: int, line: str) -> None:
        """Parse one line."""
        self._number = number
        line = self._without_client(line)
        if self._heading(line) or self._summary(line) or self._figures(line):
            self.run.claim(number)
        elif line.strip() and not self._remark(line) and self.run.begun:
            self.run.followed = True

    def end(self) -> list[TextRun]:
        """Return the runs with content, with calls numbered from 1."""
        by_call = [list(reports) for _call, reports in groupby(self.runs, key=lambda run: run.call)]
        self.runs = [run for reports in by_call for run in _settled(reports)]
        read = [run for run in self.runs if _has_content(run)]
        runs = latest(read)
        calls = {call: number for number, call in enumerate(dict.fromkeys(r.call for r in runs), 1)}
        for run in runs:
            run.call = calls[run.call]
        return runs

    def _without_client(self, line: str) -> str:
        """Return the line without the name of the client that printed it."""
        match = pattern.FROM_CLIENT.match(line) or pattern.AFTER_PROGRESS.match(line)
        if match is None:
            return pattern.PROGRESS.sub("", line, count=1)
        self._client = match["client"]
        return line[match.end() :]

    def _heading(self, line: str) -> bool:
        if match := pattern.VERSION.match(line):
            self._begin(self.run.begun or self.run.started)
            self.run.version, self.run.announced = match["version"], True
            self.run.started = bool(self.run.announcements)
        elif match := pattern.CLIENT.match(line):
            self._begin(self.run.begun or self.run.started)
            self.run.clients += 1
            self.run.version = match["version"] or self.run.version
        elif match := pattern.description(line):
            self._begin(self.run.begun or self.run.started)
            self.run.announced = self.described = True
            self._announce(Announcement.read(match, self._client))
        elif pattern.COMMAND.match(line):
            self._begin(self.run.begun or self.run.announced or bool(self.run.remarks))
        elif match := pattern.job(line):
            self._job(match)
        else:
            return self._several(line)
        return True

    def _announce(self, announcement: Announcement) -> None:
        """Add a section.

        Before 2.1 fio announces the first and the last job of several; each client announces its
        own jobs.
        """
        stated = self.run.announcements
        is_repeated = (
            stated
            and not self.run.clients
            and stated[-1].several
            and announcement.key == stated[-1].key
        )
        if not is_repeated and len(stated) < MAX_BLOCKS:
            stated.append(announcement)

    def _several(self, line: str) -> bool:
        run = self.run
        if run.begun or not run.announcements or not pattern.SEVERAL.match(line):
            return False
        run.announcements[-1].several = True
        return True

    def _job(self, match: re.Match[str]) -> None:
        self._in_sum = match["name"].strip() == pattern.ALL_CLIENTS and self._sum()
        if self._in_sum:
            return
        block = Block.read(match, self._client)
        if self.run.finished:
            self._next_report()
        elif self.run.blocks and not _reported_with(self.run.blocks[-1], block):
            self._begin(True)
        if len(self.run.blocks) < MAX_BLOCKS:
            self.run.blocks.append(block)

    def _begin(self, another: bool) -> None:
        """Start another call if the current one has begun."""
        if another:
            self._append(TextRun(call=self.run.call + 1))
            self._client = ""

    def _next_report(self) -> None:
        """Start a report after a summary.

        It is of another client, of the same jobs, or of another call; `latest` decides when both
        are known.
        """
        run = self.run
        call = run.call if self._has_clients() else run.call + 1
        self._append(TextRun(call=call))

    def _has_clients(self) -> bool:
        """Return True if several clients report to the call."""
        return sum(run.clients for run in self._of_call()) > 1

    def _append(self, run: TextRun) -> None:
        """Add a run; remarks after a summary may belong to it."""
        run.remarks, self.run.late_remarks = self.run.late_remarks, []
        run.signal = any(pattern.SIGNAL.match(text) for text in run.remarks)
        self.runs.append(run)
        self._in_sum = False

    def _sum(self) -> bool:
        """Start the sum of all clients of a call; return False if no client was reported.

        The sum is computed from the clients, not parsed (axboe/fio#1918). Until 3.x fio prints it
        before the last summary.
        """
        reports_of_call = self._of_call()
        if not any(run.blocks for run in reports_of_call):
            return False
        if self.run.finished:
            self.runs[-len(reports_of_call) :] = [_joined(reports_of_call)]
            self._client = ""
        else:
            self.run.with_sum = True
        return True

    def _of_call(self) -> list[TextRun]:
        """Return the reports of the current call."""
        call = self.run.call
        reports_of_call = list(takewhile(lambda run: run.call == call, reversed(self.runs)))
        return reports_of_call[::-1]

    def _summary(self, line: str) -> bool:
        run = self.run
        if match := pattern.STATUS.search(line):
            group = int(match["group"])
            self._in_sum = False
            self._begin(group in run.finished)
            self.run.group = group
            self.run.finished[group] = {}
        elif match := pattern.STATUS_LINE.search(line):
            self._status(match["operation"].lower(), line)
        elif run.finished and pattern.DISKS.search(line):
            run.disks_announced = True
        elif run.disks_announced and (match := pattern.DISK.search(line)):
            run.disks.append(_disk(match))
            if "aggrios=" in line:
                run.arrays.append(match["name"])
        else:
            return False
        return True

    def _status(self, operation: str, line: str) -> None:
        """Parse one direction of a group's summary, whose heading may be missing."""
        run = self.run
        if not run.finished:
            run.group = run.blocks[-1].group if run.blocks else 0
        elif operation in run.finished.get(run.group, {}):
            self._begin(True)
        self.run.finished.setdefault(self.run.group, {})[operation] = line

    def _figures(self, line: str) -> bool:
        match = pattern.NEW_DIRECTION.search(line) or pattern.OLD_DIRECTION.search(line)
        if self._in_sum:
            return bool(match or pattern.is_figure(line))
        if match:
            return self._direction(match)
        if self.run.finished:
            return False
        if not self.run.blocks:
            if not pattern.SYNC.search(line):
                return False
            self._bare()
        return self.run.blocks[-1].figure(line)

    def _direction(self, match: re.Match[str]) -> bool:
        """Parse a result line.

        A line that is repeated in a job, or follows a summary, belongs to a job whose first line is
        missing.
        """
        run = self.run
        last = run.blocks[-1] if run.blocks else None
        if (last and last.repeats(match)) or (run.finished and match[0] in self._seen):
            return True  # a quotation of an earlier line
        self._seen.add(match[0])
        if last is None or run.finished or last.has(match):
            self._begin(run.begun)
            self._bare()
        self.run.blocks[-1].direction(match)
        return True

    def _bare(self) -> None:
        """Start a result without the line of its job."""
        self.run.single = True
        self.run.blocks.append(Block("", 0, 1, ""))

    def _remark(self, line: str) -> bool:
        run = self.run
        if pattern.VERIFY.match(line):
            run.unverified.append(line.strip()[:_MAX_REMARK_LENGTH])
            return True
        if not pattern.REMARK.match(line):
            return False
        if self._remarks < MAX_REMARKS:
            self._remarks += 1
            (run.late_remarks if run.finished else run.remarks).append(
                line.strip()[:_MAX_REMARK_LENGTH]
            )
        if pattern.SIGNAL.match(line) and not run.finished:
            run.signal = True
        if not run.finished:
            run.claim(self._number)
        return True


def _settled(reports_of_call: list[TextRun]) -> list[TextRun]:
    """Return the reports of a call, with those of clients joined if their sum follows."""
    if any(run.with_sum for run in reports_of_call):
        return [_joined(reports_of_call)]
    without_sum = any(run.clients > 1 and not run.assigned for run in reports_of_call)
    for run in reports_of_call:
        run.without_sum |= without_sum
    return reports_of_call


def _joined(reports_of_call: list[TextRun]) -> TextRun:
    """Return the reports of all clients of a call as one; any of them may have announcements."""
    clients = [run for run in latest(reports_of_call) if run.blocks]
    clients[0].announcements = [each for run in reports_of_call for each in run.announcements]
    return TextRun.joined(clients)


def _has_content(run: TextRun) -> bool:
    return bool(run.begun or run.announcements or run.remarks or run.late_remarks or run.unverified)


def _reported_with(before: Block, block: Block) -> bool:
    """Return True if two jobs without a summary between them may be of one report."""
    if block.group < before.group:
        return False
    if before.printed_at is None or block.printed_at is None:
        return True
    return abs(block.printed_at - before.printed_at) <= _MAX_GAP_SECONDS


def _disk(match: re.Match[str]) -> Values:
    """Return a device's counters, by the names of fio's documents."""
    counters = {"read_ios": match["reads"], "write_ios": match["writes"]}
    if match["read_ticks"]:
        counters |= {"read_ticks": match["read_ticks"], "write_ticks": match["write_ticks"]}
    numbers = {name: int(value) for name, value in counters.items()}
    return {"name": match["name"], **numbers, "util": float(match["util"])}
