"""A whole text -> dd's results, each with its records, its command and its progress lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from apps.tools.loops import OpenLoops

from .invocation import (
    Direction,
    Invocation,
    find_label,
    shared,
    with_operands,
)
from .loops import called, is_report, unrolled
from .report_lines import ERROR, MAX_LINE, DdFigures, decode, figures, records

# "67108864 bytes (67 MB, 64 MiB) copied, 0.5" without the rest of its line.
_RESULT_BEGINS = re.compile(r"^\s{0,9}\d{1,19}\s?[^\W\d]{1,12}\s")
MAX_RESULTS = 10_000
MAX_POINTS = 100_000
MAX_REMARKS = 20


@dataclass(frozen=True)
class Result:
    """The report of one run of dd. `progress`: its cumulative lines of status=progress; `label`:
    what somebody wrote before the line; `errors`: what dd complained of before it; `lines`: the
    first and the last one, from 1.
    """

    figures: DdFigures
    invocation: Invocation
    records: tuple[tuple[int, int], ...] = ()
    progress: tuple[DdFigures, ...] = ()
    ended: bool = True
    label: Direction | None = None
    errors: tuple[str, ...] = ()
    lines: tuple[int, int] = (1, 1)

    @property
    def direction(self) -> Direction:
        """The direction of the rate."""
        return self.label or self.invocation.direction


@dataclass
class DdLines:
    """The state between two lines. `lost`: errors of calls without a result; `cut`: progress or
    records without one; `drops`: lines where the page cache was dropped.
    """

    results: list[Result] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    cut: bool = False
    drops: list[int] = field(default_factory=list)
    _commands: list[Invocation] = field(default_factory=list)
    _settled: int = 0
    _errors: list[str] = field(default_factory=list)
    _records: list[tuple[int, int]] = field(default_factory=list)
    _progress: list[DdFigures] = field(default_factory=list)
    _number: int = 0
    _first: int = 0
    _held: str = ""
    _loops: OpenLoops = field(default_factory=OpenLoops)

    def read(self, data: bytes) -> None:
        """Every line in order. What dd writes with a carriage return before it is progress."""
        for number, raw in _lines(data):
            self._number = number
            first, *overwritten = raw.split(b"\r")
            self._line(self._joined(decode(first)))
            for piece in overwritten:
                self._progress_line(decode(piece))
        self._leave()
        self._end()
        self._settle()

    def _joined(self, line: str) -> str:
        """The line, or the whole of a result line that a mailer wrapped."""
        held, self._held = self._held, ""
        alone = figures(line) is not None
        if held and not alone and figures(f"{held} {line}"):
            return f"{held} {line}"
        if not alone and (_RESULT_BEGINS.match(line) or len(records(line)) > 1):
            self._held = line[:MAX_LINE].rstrip()
        return line

    def _line(self, line: str) -> None:
        found = figures(line)
        if "drop_caches" in line and len(self.drops) < MAX_RESULTS:
            self.drops.append(self._number)
        counted = records(line)
        if counted:
            self._records += counted
            self._first = self._first or self._number
        invocations = called(line, self._loops.commands(line))
        for each in invocations:
            self._begin(replace(each, line=self._number), keep=found is not None)
        if not invocations and not self._goes_on(line) and (error := ERROR.search(line)):
            self._error(error["text"])
        if found is not None and len(self.results) < MAX_RESULTS:
            result = replace(self._result(found), label=find_label(line))
            self.results.append(self._with_progress(result))

    def _goes_on(self, line: str) -> bool:
        """Whether a line is the rest of the command above it, which a mailer wrapped."""
        if not self._commands or self._commands[-1].line != self._number - 1:
            return False
        before = self._commands[-1]
        self._commands[-1] = with_operands(before, line)
        return self._commands[-1] != before

    def _with_progress(self, result: Result) -> Result:
        """A copied terminal has the last line of progress above the records of the same run."""
        earlier: list[Result] = []
        while len(self.results) > self._settled and self._leads_to(self.results[-1], result):
            before = self.results.pop()
            earlier.append(before)
            lines = (before.lines[0], result.lines[1])
            result = replace(result, lines=lines, errors=(*before.errors, *result.errors))
        progress = [point for each in reversed(earlier) for point in (*each.progress, each.figures)]
        return replace(result, progress=(*progress, *result.progress))

    def _leads_to(self, before: Result, result: Result) -> bool:
        """Whether a result is progress of the run that ends with the next one."""
        reported = bool(before.records) and is_report(
            before.figures, result.figures, self._commands
        )
        return reported or _leads_to(before, result)

    def _begin(self, invocation: Invocation, keep: bool) -> None:
        """A command: what was seen before it belongs to another one that did not end."""
        self._leave()
        if len(self.results) > self._settled or self._errors:
            self._settle()
        self._lose(self._errors)
        self._commands.append(invocation)
        if not keep:
            self._records.clear()
            self._first = 0

    def _settle(self) -> None:
        """The results since the last commands are theirs."""
        since = self.results[self._settled :]
        commands = unrolled(self._commands, len(since))
        found = shared(commands, [each.label for each in since])
        self.results[self._settled :] = [
            replace(each, invocation=command) for each, command in zip(since, found, strict=True)
        ]
        if since and len(self._commands) == 1:
            first, own = self.results[self._settled], self._commands[0].line
            self.results[self._settled] = replace(first, lines=(own or 1, first.lines[1]))
        self._commands, self._settled = [], len(self.results)

    def _progress_line(self, line: str) -> None:
        found = figures(line)
        if found is not None and len(self._progress) < MAX_POINTS:
            self._first = self._first or self._number
            self._progress.append(found)

    def _error(self, text: str) -> None:
        kept = self.remarks if text.lower().startswith("warning") else self._errors
        if len(kept) < MAX_REMARKS:
            kept.append(text.strip()[:300])

    def _lose(self, errors: list[str]) -> None:
        """Errors of a call that printed no result."""
        self.lost += errors[: MAX_REMARKS - len(self.lost)]
        self._errors = []

    def _end(self) -> None:
        """Errors behind the last result are its own where no other call began."""
        if self.results and not self._commands_since():
            last = self.results[-1]
            self.results[-1] = replace(last, errors=(*last.errors, *self._errors))
            self._errors = []
        self._lose(self._errors)

    def _commands_since(self) -> bool:
        return bool(self._commands) and len(self.results) == self._settled

    def _result(self, found: DdFigures, ended: bool = True) -> Result:
        lines = (self._first or self._number, self._number)
        result = Result(
            found,
            Invocation(),
            tuple(self._records[-2:]),
            tuple(self._progress),
            ended,
            errors=tuple(self._errors),
            lines=lines,
        )
        self._records, self._progress, self._errors, self._first = [], [], [], 0
        return result

    def _leave(self) -> None:
        """Progress or records without a result: that run of dd was still going on, or its output is
        cut off.
        """
        self.cut = self.cut or bool(self._progress or self._records)
        if self._progress and len(self.results) < MAX_RESULTS:
            self.results.append(self._result(self._progress.pop(), ended=False))
        self._records, self._first = [], 0


def _leads_to(before: Result, result: Result) -> bool:
    """Whether a result without records is a line of progress of the run that ends with another
    one, directly below.
    """
    first, last = before.figures, result.figures
    grows = first.bytes <= last.bytes and first.seconds <= last.seconds
    below = before.lines[1] + 1 == result.lines[0]
    return not before.records and bool(result.records) and grows and below


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers from 1, a long command that was continued with a backslash as
    one, at its first.
    """
    held, first = b"", 0
    for number, line in enumerate(data.replace(b"\r\n", b"\n").split(b"\n"), 1):
        first = first or number
        if line.endswith(b"\\") and len(held) < 4_000:
            held += line[:-1] + b" "
            continue
        yield first, held + line
        held, first = b"", 0
    if held:
        yield first, held
