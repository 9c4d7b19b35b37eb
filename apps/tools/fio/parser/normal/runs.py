"""Report in fio's text: the jobs, the final summary, and the remarks around them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.tools.fio.parser.direction import NOTHING, Part
from apps.tools.values import Values

from . import patterns as pattern
from .announcements import Announcement, assign, of_one_server
from .block import Block
from .printed import printed
from .statuses import is_later_report
from .units import base_of


@dataclass
class TextRun:
    """One report of one fio process.

    - `call`: the call that printed it; `announced`: it has announcements, as each call does once.
    - `finished`: group -> operation -> line of the summary.
    - `single`: result lines without the line of their job.
    - `followed`: other text follows the last figure.
    - `clients`: hosts that connected; `without_sum`: one of several, without their sum.
    - `with_sum`: it contains the sum of all clients of its call.
    - `remarks`: fio's own messages; `late_remarks`: those after the summary.
    """

    call: int = 1
    first: int = 0
    last: int = 0
    version: str | None = None
    announced: bool = False
    started: bool = False
    announcements: list[Announcement] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    finished: dict[int, dict[str, str]] = field(default_factory=dict)
    group: int = 0
    disks: list[Values] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)
    disks_announced: bool = False
    remarks: list[str] = field(default_factory=list)
    late_remarks: list[str] = field(default_factory=list)
    unverified: list[str] = field(default_factory=list)
    single: bool = False
    followed: bool = False
    signal: bool = False
    clients: int = 0
    without_sum: bool = False
    with_sum: bool = False
    assigned: bool = False

    @property
    def begun(self) -> bool:
        """Return True if results or their summary were parsed."""
        return bool(self.blocks or self.finished)

    def claim(self, number: int) -> None:
        """Extend the report's range of lines."""
        self.first = self.first or number
        self.last = number

    def summarised(self, group: int) -> bool:
        """Return True if the group's summary has a line for each direction."""
        directions = {name for b in self.blocks if b.group == group for name in b.directions}
        return group in self.finished and directions <= self.finished[group].keys()

    def totals(self) -> dict[tuple[int, str], Part]:
        """Return the totals of the summary whose jobs are missing."""
        existing = {(block.group, name) for block in self.blocks for name in block.directions}
        failed = {block.group for block in self.blocks if block.failures}
        result = {}
        for group, lines in self.finished.items():
            for operation, line in lines.items():
                part = _total(line)
                if part and (group, operation) not in existing and group not in failed:
                    result[group, operation] = part
        return result

    @classmethod
    def joined(cls, runs: Sequence[TextRun]) -> TextRun:
        """Return the clients of one test, each reported as a separate run, as one run."""
        assign_clients(runs)
        whole = cls(runs[0].call, runs[0].first, runs[-1].last, assigned=True)
        for run in runs:
            whole.blocks += run.blocks
            whole.disks += [disk for disk in run.disks if disk not in whole.disks]
            whole.arrays += run.arrays
            whole.disks_announced |= run.disks_announced
            whole.version = whole.version or run.version
            whole.remarks += [*run.remarks, *run.late_remarks]
            whole.unverified += run.unverified
            whole.signal |= run.signal
            whole.announced |= run.announced
            for group, lines in run.finished.items():
                whole.finished.setdefault(group, {}).update(lines)
        return whole


def latest(runs: Sequence[TextRun]) -> list[TextRun]:
    """Return the runs without earlier status reports of the same processes.

    Sets the announcements of each job.
    """
    newest: list[TextRun] = []
    for run in runs:
        before = newest[-1] if newest else None
        if before is None or not _continues(before, run):
            _assign(run, run.announcements)
            newest.append(run)
            continue
        newest.pop()
        run.version, run.announced = run.version or before.version, before.announced
        run.announcements = run.announcements or before.announcements
        run.call, run.first = before.call, before.first or run.first
        run.remarks = [*before.remarks, *run.remarks]
        run.unverified = [*before.unverified, *run.unverified]
        run.signal |= before.signal
        _assign(run, run.announcements)
        newest.append(run)
    return newest


def _continues(before: TextRun, run: TextRun) -> bool:
    """Return True if the run is a later report of the same call.

    Operations are counted with the announcements of the previous run if it has none.
    """
    if not run.blocks or run.single or before.single:
        return False
    _assign(run, run.announcements or before.announcements)
    return is_later_report(before.blocks, run.blocks, announced=run.announced)


def _assign(run: TextRun, announcements: Sequence[Announcement]) -> None:
    if not run.assigned:
        assign(run.blocks, announcements)


def assign_clients(runs: Sequence[TextRun]) -> None:
    """Set the announcements of the jobs of one call's clients, and unique client names.

    All announcements precede the first result.
    """
    stated = [each for run in runs for each in run.announcements]
    servers = Counter(_client(run) for run in runs)
    numbers: Counter[str] = Counter()
    for run in runs:
        client = _client(run)
        announcements = [each for each in stated if each.client == client]
        assign(run.blocks, of_one_server(announcements, servers[client]))
        numbers[client] += 1
        for block in run.blocks:
            if client and servers[client] > 1:
                block.client = f"{client}#{numbers[client]}"
        run.assigned = True


def _client(run: TextRun) -> str:
    return run.blocks[0].client if run.blocks else ""


def _total(line: str) -> Part | None:
    """Parse a line of the summary; None if a figure is missing."""
    new = pattern.NEW_TOTAL.search(line)
    match = new or pattern.OLD_TOTAL.search(line)
    if not match:
        return None
    seconds = int(match["runtime"]) / 1000
    transferred, rate = (_printed(match[name], new) for name in ("transferred", "bandwidth"))
    return Part(
        job="",
        operations=0,
        transferred=int(transferred),
        runtime=seconds,
        bandwidth=rate,
        iops=None,
        phases=dict.fromkeys(("slat", "clat", "lat"), NOTHING),
        values={},
    )


def _printed(text: str, new: re.Match[str] | None) -> float:
    return printed(text, base_of(text) if new else 1024).value
