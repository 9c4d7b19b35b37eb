"""fio's normal text output, from 1.59 to 3.x, with other text around it.

Bandwidth and IOPS are made exact again where the text allows it: operations x block size / run
time. What fio printed (rounded) stands in `values["printed"]`. A file may hold several runs;
--status-interval repeats a run, and the last repetition counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.tools.base import Completeness, Measurement, OutputError, Parsed, ToolError
from apps.tools.fio.parser.direction import SYNC
from apps.tools.fio.parser.tables import disks_name, together
from apps.tools.fio.parser.totals import measurement
from apps.tools.text import as_text
from apps.tools.values import Parameters, Values

from . import patterns as pattern
from .block import Block, Description
from .statuses import goes_on

MAX_LINE = 2000
MAX_BLOCKS = 10_000
MAX_REMARKS = 50
NO_RESULT = "There is no result of fio in this output."
VERIFICATION = "Verification failed; blocks that were not as fio wrote them: {:,}; the first: {}"


class TextRun:
    """One fio process: its jobs, and whether its closing summary was seen. `announced`: it said
    what it is going to do, as each call does once."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.finished: dict[int, set[str]] = {}
        self.disks: list[Values] = []
        self.disks_announced = False
        self.version: str | None = None
        self.group = 0
        self.announced = False

    @property
    def complete(self) -> bool:
        """Whether every group has its summary, with a line for each direction."""
        wanted: dict[int, set[str]] = {}
        for block in self.blocks:
            wanted.setdefault(block.group, set()).update(block.directions)
        disks = not self.disks_announced or bool(self.disks)
        return disks and all(wanted[g] <= self.finished.get(g, set()) for g in wanted)

    @classmethod
    def joined(cls, runs: list[TextRun]) -> TextRun:
        """The clients of one test, each reported as a run of its own, as the run they were."""
        whole = cls()
        for run in runs:
            whole.blocks += run.blocks
            whole.disks += run.disks
            whole.disks_announced |= run.disks_announced
            whole.version = whole.version or run.version
            for group, operations in run.finished.items():
                whole.finished.setdefault(group, set()).update(operations)
        return whole


class Reader:
    """Takes line after line and sorts them into runs and jobs."""

    def __init__(self) -> None:
        self.runs: list[TextRun] = [TextRun()]
        self.descriptions: dict[str, Description] = {}
        self.remarks: list[str] = []
        self.single = False
        self.clients = 0
        self.unverified: list[str] = []
        self._joined = 0

    @property
    def run(self) -> TextRun:
        """The run being read."""
        return self.runs[-1]

    def line(self, line: str) -> None:
        """Sort one line in."""
        line = pattern.FROM_CLIENT.sub("", line)
        if not (self._heading(line) or self._summary(line) or self._figures(line)):
            self._remark(line)

    def _heading(self, line: str) -> bool:
        if match := pattern.VERSION.match(line):
            self._next_run()
            self.run.version, self.run.announced = match["version"], True
        elif match := pattern.CLIENT.match(line):
            self._next_run()
            self.clients += 1
            self.run.version = match["version"] or self.run.version
        elif match := pattern.description(line):
            self._next_run()
            self.run.announced = True
            self.descriptions[match["name"].strip()] = Description.read(match)
        elif match := pattern.job(line):
            name = match["name"].strip()
            if name == pattern.ALL_CLIENTS and self._join():
                return True
            self._next_run()
            if len(self.run.blocks) < MAX_BLOCKS:
                self.run.blocks.append(Block.read(match, self.descriptions.get(name)))
        else:
            return False
        return True

    def _next_run(self) -> None:
        """A heading after a summary begins another run (or the next report of the same one)."""
        if self.run.finished:
            self.runs.append(TextRun())

    def _join(self) -> bool:
        """All clients were reported one by one: their sum, which fio prints last, is not read
        (axboe/fio#1918) but made of them. False where nothing came before it."""
        clients = [run for run in _latest(self.runs[self._joined :]) if run.blocks]
        if not clients or not self.run.finished:
            return False
        self.runs[self._joined :] = [TextRun.joined(clients)]
        self._joined, self.clients = len(self.runs), 0
        return True

    def _summary(self, line: str) -> bool:
        run = self.run
        if match := pattern.STATUS.search(line):
            run.group = int(match["group"])
            run.finished.setdefault(run.group, set())
        elif run.finished and (match := pattern.STATUS_LINE.search(line)):
            run.finished[run.group].add(match["operation"].lower())
        elif run.finished and pattern.DISKS.search(line):
            run.disks_announced = True
        elif run.disks_announced and (match := pattern.DISK.search(line)):
            run.disks.append(_disk(match))
        else:
            return False
        return True

    def _figures(self, line: str) -> bool:
        run = self.run
        if run.finished:
            return False
        match = pattern.NEW_DIRECTION.search(line) or pattern.OLD_DIRECTION.search(line)
        if (match or pattern.SYNC.search(line)) and not run.blocks:
            # A result somebody copied, without the job it belongs to.
            self.single = True
            run.blocks.append(Block("", 0, 1, "", None))
        if not run.blocks:
            return False
        if match:
            run.blocks[-1].direction(match)
            return True
        return run.blocks[-1].figure(line)

    def _remark(self, line: str) -> None:
        if pattern.VERIFY.match(line):
            self.unverified.append(line.strip()[:300])
        if pattern.REMARK.match(line) and len(self.remarks) < MAX_REMARKS:
            self.remarks.append(line.strip()[:300])


def parse_text(data: bytes) -> Parsed:
    """Read fio's normal output. Raises ToolError when fio only said what went wrong, else
    OutputError."""
    text = as_text(data)
    reader = Reader()
    cut = _is_cut(text)
    for line in _lines(text, cut):
        reader.line(line)
    runs = [run for run in _latest(reader.runs) if run.blocks]
    measurements = [each for run in runs for each in _measurements(run)]
    failures = [text for run in runs for block in run.blocks for text in block.failures]
    if not measurements:
        raise _nothing(reader, failures)
    completeness = _completeness(reader, runs, cut, failures)
    unfinished = ["The output is cut off."] if completeness == "partial" and not failures else []
    return Parsed(
        tool="fio",
        format="text",
        version=next((run.version for run in runs if run.version), None),
        measurements=tuple(measurements),
        warnings=(*_verification(reader), *reader.remarks, *failures, *unfinished),
        completeness=completeness,
    )


def _is_cut(text: str) -> bool:
    """Whether the last line may be missing its end."""
    last = text.rsplit("\n", 1)[-1]
    whole = pattern.END.search(last) or pattern.NEW_DIRECTION.search(last)
    return bool(last.strip()) and not whole


def _lines(text: str, cut: bool) -> Iterator[str]:
    lines = text.split("\n")
    # A figure without its end is a wrong figure.
    for line in lines[:-1] if cut else lines:
        yield line[:MAX_LINE].replace("\t", " ")


def _latest(runs: list[TextRun]) -> list[TextRun]:
    """Runs without earlier status reports of the same processes."""
    kept: list[TextRun] = []
    for run in runs:
        if kept and run.blocks and goes_on(kept[-1].blocks, run.blocks, announced=run.announced):
            before = kept.pop()
            run.version, run.announced = run.version or before.version, before.announced
        kept.append(run)
    return kept


def _measurements(run: TextRun) -> list[Measurement]:
    found: dict[tuple[int, str], list[Block]] = {}
    for block in run.blocks:
        for operation in block.operations:
            found.setdefault((block.group, operation), []).append(block)
    result = []
    for (group, operation), blocks in found.items():
        parts = [block.part(operation) for block in blocks]
        values = together([block.whole for block in blocks])
        disks = {disks_name(len({place for place, _ in found})): run.disks} if run.disks else {}
        printed = blocks[0].printed(operation) if len(blocks) == 1 else {}
        alone = sum(place == group and name != SYNC for place, name in found) == 1
        values |= printed | disks
        result.append(
            measurement(operation, parts, _shared(blocks), values, [], group=group, alone=alone)
        )
    return result


def _shared(blocks: list[Block]) -> Parameters:
    """The parameters all jobs have in common."""
    first, *others = [block.params for block in blocks]
    return {name: v for name, v in first.items() if all(o.get(name) == v for o in others)}


def _completeness(
    reader: Reader, runs: list[TextRun], cut: bool, failures: list[str]
) -> Completeness:
    if failures or reader.clients > 1:
        return "partial"
    if reader.single:
        return "unknown"
    return "whole" if runs[-1].complete and not (cut and _in_summary(runs[-1])) else "partial"


def _in_summary(run: TextRun) -> bool:
    """fio's last lines are the disks'; a loose end behind them is somebody else's text."""
    return not run.disks


def _disk(match: re.Match[str]) -> Values:
    """A device's counters by the names of fio's documents."""
    counters = {"read_ios": match["reads"], "write_ios": match["writes"]}
    if match["read_ticks"]:
        counters |= {"read_ticks": match["read_ticks"], "write_ticks": match["write_ticks"]}
    known = {name: int(value) for name, value in counters.items()}
    return {"name": match["name"], **known, "util": float(match["util"])}


def _verification(reader: Reader) -> list[str]:
    """Warnings about data that fio read back wrong: how often, and the first of its sentences."""
    if not reader.unverified:
        return []
    return [VERIFICATION.format(len(reader.unverified), reader.unverified[0])]


def _nothing(reader: Reader, failures: list[str]) -> Exception:
    said = [*_verification(reader), *failures, *reader.remarks][:3]
    if said:
        return ToolError(f"{NO_RESULT} {' '.join(said)}")
    if reader.run.version and reader.descriptions:
        return OutputError(f"{NO_RESULT} It is cut off behind the jobs' descriptions.")
    return OutputError("There is no result of fio in this text.")
