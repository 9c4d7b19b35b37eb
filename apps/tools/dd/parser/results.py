"""Parse a whole text into dd's results, each with its records, command and progress lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from apps.tools.loops import OpenLoops

from .invocation import (
    Direction,
    Invocation,
    assign_commands,
    find_label,
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
    """Report of one run of dd.

    - `progress`: its cumulative lines of status=progress.
    - `label`: the user's label before the line.
    - `errors`: dd's error messages before it.
    - `lines`: first and last line number, from 1.
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
        """Return the direction of the rate."""
        return self.label or self.invocation.direction


@dataclass
class DdLines:
    """State of the line parser.

    - `lost`: errors of calls without a result.
    - `cut`: there are progress lines or records without a result.
    - `drops`: line numbers where the page cache was dropped.
    """

    results: list[Result] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    cut: bool = False
    drops: list[int] = field(default_factory=list)
    _commands: list[Invocation] = field(default_factory=list)
    _assigned_count: int = 0
    _errors: list[str] = field(default_factory=list)
    _records: list[tuple[int, int]] = field(default_factory=list)
    _progress: list[DdFigures] = field(default_factory=list)
    _number: int = 0
    _first: int = 0
    _buffer: str = ""
    _loops: OpenLoops = field(default_factory=OpenLoops)

    def read(self, data: bytes) -> None:
        """Parse every line in order. Text of dd after a carriage return is progress."""
        for number, raw in _lines(data):
            self._number = number
            first, *overwritten = raw.split(b"\r")
            self._line(self._joined(decode(first)))
            for piece in overwritten:
                self._progress_line(decode(piece))
        self._end_run()
        self._end()
        self._assign_commands()

    def _joined(self, line: str) -> str:
        """Return the line, or the whole of a result line that a mail program wrapped."""
        buffered, self._buffer = self._buffer, ""
        is_result = figures(line) is not None
        if buffered and not is_result and figures(f"{buffered} {line}"):
            return f"{buffered} {line}"
        if not is_result and (_RESULT_BEGINS.match(line) or len(records(line)) > 1):
            self._buffer = line[:MAX_LINE].rstrip()
        return line

    def _line(self, line: str) -> None:
        line_figures = figures(line)
        if "drop_caches" in line and len(self.drops) < MAX_RESULTS:
            self.drops.append(self._number)
        counted = records(line)
        if counted:
            self._records += counted
            self._first = self._first or self._number
        invocations = called(line, self._loops.commands(line))
        for each in invocations:
            self._begin_command(
                replace(each, line=self._number), keep_records=line_figures is not None
            )
        if not invocations and not self._is_continued(line) and (error := ERROR.search(line)):
            self._error(error["text"])
        if line_figures is not None and len(self.results) < MAX_RESULTS:
            result = replace(self._result(line_figures), label=find_label(line))
            self.results.append(self._with_progress(result))

    def _is_continued(self, line: str) -> bool:
        """Return True if a line continues the wrapped command above it."""
        if not self._commands or self._commands[-1].line != self._number - 1:
            return False
        before = self._commands[-1]
        self._commands[-1] = with_operands(before, line)
        return self._commands[-1] != before

    def _with_progress(self, result: Result) -> Result:
        """Merge progress lines that a copied terminal has above the records of the same run."""
        earlier: list[Result] = []
        while len(self.results) > self._assigned_count and self._leads_to(self.results[-1], result):
            before = self.results.pop()
            earlier.append(before)
            lines = (before.lines[0], result.lines[1])
            result = replace(result, lines=lines, errors=(*before.errors, *result.errors))
        progress = [point for each in reversed(earlier) for point in (*each.progress, each.figures)]
        return replace(result, progress=(*progress, *result.progress))

    def _leads_to(self, before: Result, result: Result) -> bool:
        """Return True if a result is progress of the run that ends with the next one."""
        reported = bool(before.records) and is_report(
            before.figures, result.figures, self._commands
        )
        return reported or _leads_to(before, result)

    def _begin_command(self, invocation: Invocation, keep_records: bool) -> None:
        """Begin a command. Earlier lines without a result belong to another run without an end."""
        self._end_run()
        if len(self.results) > self._assigned_count or self._errors:
            self._assign_commands()
        self._add_lost(self._errors)
        self._commands.append(invocation)
        if not keep_records:
            self._records.clear()
            self._first = 0

    def _assign_commands(self) -> None:
        """Assign the results since the last commands to these commands."""
        since = self.results[self._assigned_count :]
        commands = unrolled(self._commands, len(since))
        assigned = assign_commands(commands, [each.label for each in since])
        self.results[self._assigned_count :] = [
            replace(each, invocation=command) for each, command in zip(since, assigned, strict=True)
        ]
        if since and len(self._commands) == 1:
            first, start = self.results[self._assigned_count], self._commands[0].line
            self.results[self._assigned_count] = replace(first, lines=(start or 1, first.lines[1]))
        self._commands, self._assigned_count = [], len(self.results)

    def _progress_line(self, line: str) -> None:
        line_figures = figures(line)
        if line_figures is not None and len(self._progress) < MAX_POINTS:
            self._first = self._first or self._number
            self._progress.append(line_figures)

    def _error(self, text: str) -> None:
        messages = self.remarks if text.lower().startswith("warning") else self._errors
        if len(messages) < MAX_REMARKS:
            messages.append(text.strip()[:300])

    def _add_lost(self, errors: list[str]) -> None:
        """Store the errors of a call that printed no result."""
        self.lost += errors[: MAX_REMARKS - len(self.lost)]
        self._errors = []

    def _end(self) -> None:
        """Assign errors after the last result to it if no other call began."""
        if self.results and not self._commands_since():
            last = self.results[-1]
            self.results[-1] = replace(last, errors=(*last.errors, *self._errors))
            self._errors = []
        self._add_lost(self._errors)

    def _commands_since(self) -> bool:
        return bool(self._commands) and len(self.results) == self._assigned_count

    def _result(self, line_figures: DdFigures, ended: bool = True) -> Result:
        lines = (self._first or self._number, self._number)
        result = Result(
            line_figures,
            Invocation(),
            tuple(self._records[-2:]),
            tuple(self._progress),
            ended,
            errors=tuple(self._errors),
            lines=lines,
        )
        self._records, self._progress, self._errors, self._first = [], [], [], 0
        return result

    def _end_run(self) -> None:
        """End a run with progress or records and no result.

        It was still running, or the output is truncated.
        """
        self.cut = self.cut or bool(self._progress or self._records)
        if self._progress and len(self.results) < MAX_RESULTS:
            self.results.append(self._result(self._progress.pop(), ended=False))
        self._records, self._first = [], 0


def _leads_to(before: Result, result: Result) -> bool:
    """Return True if a result without records is progress of the run that ends directly below."""
    first, last = before.figures, result.figures
    grows = first.bytes <= last.bytes and first.seconds <= last.seconds
    below = before.lines[1] + 1 == result.lines[0]
    return not before.records and bool(result.records) and grows and below


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers from 1.

    A command continued with backslashes is one line with its first number.
    """
    buffered, first = b"", 0
    for number, line in enumerate(data.replace(b"\r\n", b"\n").split(b"\n"), 1):
        first = first or number
        if line.endswith(b"\\") and len(buffered) < 4_000:
            buffered += line[:-1] + b" "
            continue
        yield first, buffered + line
        buffered, first = b"", 0
    if buffered:
        yield first, buffered
