"""Parse iostat's tables, with other text around them.

A heading contains the columns; the device is the first column, with -h the last. A report starts
with a heading, the CPU's table or a time, or when a device occurs again. A recording starts with a
command, with the line of the host, or with the first report after other text. The text has no end
mark, so a possibly truncated last line is ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from apps.tools.wrapping import joined

from .columns import COLUMNS, IGNORED, DeviceValues, decimals, figure, is_column
from .reports import Reports

MAX_LINE = 4_000
MAX_TIMES = 100_000
BANNER = re.compile(r"^(?:Linux|AIX|Darwin) \S+ \((?P<host>[^()]{0,200})\)")
_BANNER_BEGINS = re.compile(r"^(?:Linux|AIX|Darwin) \S+\s*$")
CPU = re.compile(r"^avg-cpu\s{0,4}:")
_CLOCK = re.compile(r"(?<!\d)(\d{1,2})[:时時](\d{2})[:分](\d{2})(?!\d)")
COMMAND = re.compile(r"(?:^|[\s#$/])iostat((?:\s{1,9}[\w./=-]{1,64}){0,40})\s*(?:[|>&;].{0,400})?$")
_HALF_DAY = 12 * 3600
# Text without words inside a recording: "...", "```".
_NO_WORD = re.compile(r"[^\w]+|_+")
_MAX_JOINED = 4


@dataclass
class Table:
    """Heading of the following lines."""

    columns: list[str]
    device_last: bool
    wrapped: bool = False

    def add_wrapped(self, line: str) -> bool:
        """Add the rest of a wrapped heading; return False for any other line."""
        words = line.split()
        if self.device_last or not all(map(is_column, words)) or set(words) & set(self.columns):
            return False
        self.columns += words
        self.wrapped = True
        return True

    def row(self, line: str) -> tuple[str, DeviceValues] | None:
        """Parse a device and its values; None for a line outside this table."""
        words = line.split()
        if len(words) != len(self.columns) + 1:
            return None
        device, *figures = (words[-1], *words[:-1]) if self.device_last else words
        row: DeviceValues = {}
        for name, text in zip(self.columns, figures, strict=True):
            if IGNORED.match(name) and name not in COLUMNS:
                continue
            if decimals(text) is None and text.lower() not in ("nan", "-nan"):
                return None
            value = figure(COLUMNS[name], text)
            if value is not None:
                row[COLUMNS[name].key] = value
        return device[:64], row


@dataclass
class IostatLines:
    """State of the line parser."""

    recordings: list[Reports] = field(default_factory=lambda: [Reports()])
    processor: bool = False
    _table: Table | None = None
    _heading: str = ""
    _under_heading: bool = False
    _times: list[int] = field(default_factory=list)
    _since_start: bool = False
    _interrupted: bool = False
    _buffer: list[str] = field(default_factory=list)
    _number: int = 0

    def read(self, text: str) -> None:
        """Parse every line, and the last one if it is certainly complete."""
        lines = text.split("\n")
        for line, count in joined(lines[:-1], _is_wrapped):
            self._line(line[:MAX_LINE].strip(), count)
        last = lines[-1][:MAX_LINE]
        if self._table is not None and _is_complete(last):
            self._line(last.strip())
        self._end()

    def _line(self, line: str, count: int = 1) -> None:
        self._number += count
        if not line:
            return
        under, self._under_heading = self._under_heading, False
        if self._table is not None and under and self._table.add_wrapped(line):
            self._under_heading = True
        elif table := heading(line):
            self._begin_table(table, line)
        elif CPU.match(line):
            self.processor = True
            self._begin_report()
            self._table = None
        elif not self._row(line):
            self._other(line)
            return
        self.recordings[-1].at(self._number)

    def _begin_table(self, table: Table, line: str) -> None:
        if self._interrupted:
            self._next()
        if line == self._heading:
            self.recordings[-1].begin()
        self._heading = self._heading if _continues(self._table, table) else line
        self._table, self._under_heading, self._buffer = table, True, []

    def _begin_report(self) -> None:
        if self._interrupted:
            self._next()
        self.recordings[-1].begin()

    def _row(self, line: str) -> bool:
        """Parse a row, or a part of one below a wrapped heading."""
        if self._table is None:
            return False
        self._buffer.append(line)
        whole = " ".join(self._buffer)
        if row := self._table.row(whole):
            self.recordings[-1].add(*row)
        elif self._table.wrapped and self._is_part(whole):
            return True
        elif len(self._buffer) > 1:
            self._buffer = []
            return self._row(line)
        self._buffer = []
        return row is not None

    def _is_part(self, text: str) -> bool:
        words = text.split()
        column_count = len(self._table.columns) + 1 if self._table else 0
        figures = all(decimals(word) is not None for word in words[1:])
        return figures and len(words) < column_count and len(self._buffer) < _MAX_JOINED

    def _other(self, line: str) -> None:
        if banner := BANNER.match(line):
            self._next()
            self.recordings[-1].boot = not self._since_start
            self.recordings[-1].host = banner["host"].strip()
        elif command := COMMAND.search(line):
            self._next()
            self._command(command[1].split())
        elif clock := _CLOCK.search(line):
            self._time(*map(int, clock.groups()))
        else:
            self._interrupted |= bool(self.recordings[-1].filled) and _is_text(line)
            return
        self.recordings[-1].at(self._number)

    def _time(self, hours: int, minutes: int, seconds: int) -> None:
        self._begin_report()
        if len(self._times) < MAX_TIMES:
            self._times.append(hours * 3600 + minutes * 60 + seconds)

    def _command(self, words: list[str]) -> None:
        """Parse the options of `iostat -xy sda 5 100`.

        The interval comes first, then the count; -y omits the report since boot.
        """
        numbers = [int(word) for word in words if word.isdecimal() and len(word) < 7]
        self.recordings[-1].interval = float(numbers[0]) if numbers and numbers[0] else None
        self._since_start = any(re.match(r"^-[a-zA-Z]*y", word) for word in words)

    def _next(self) -> None:
        """Begin a recording if the current one has reports."""
        self._interrupted = False
        if not self.recordings[-1].filled:
            return
        self._end()
        self.recordings.append(Reports())
        self._table, self._heading, self._times, self._buffer = None, "", [], []
        self._since_start = False

    def _end(self) -> None:
        last = self.recordings[-1]
        last.interval = last.interval or _interval(self._times)


def _is_wrapped(line: str, rest: str) -> bool:
    """Return True if a mail program wrapped iostat's first line before the host."""
    return rest.lstrip().startswith("(") and _BANNER_BEGINS.match(line) is not None


def heading(line: str) -> Table | None:
    """Return the table of a heading, None for any other line."""
    words = line.split()
    if len(words) < 3 or sum(map(is_column, words)) < len(words) - 1:
        return None
    if not is_column(words[0]):
        return Table(words[1:], device_last=False)
    return Table(words[:-1], device_last=True) if not is_column(words[-1]) else None


def _is_text(line: str) -> bool:
    """Return True if a line is text of a user, not an unreadable row of values."""
    words = [word for word in line.split() if not _NO_WORD.fullmatch(word)]
    numbers = [word for word in words if decimals(word) is not None]
    return len(words) > 2 * len(numbers)


def _continues(table: Table | None, following: Table) -> bool:
    """Return True if a table continues a report of -h, which has several tables."""
    return (
        table is not None
        and following.device_last
        and not set(following.columns) & set(table.columns)
    )


def _is_complete(line: str) -> bool:
    """Return True if a line without its end is certainly complete.

    Its last value then has as many decimals as the one before.
    """
    words = line.split()
    if line != line.rstrip() or len(words) < 3:
        return False
    last, before = decimals(words[-1]), decimals(words[-2])
    return bool(last) and last == before


def _interval(times: list[int]) -> float | None:
    """Return the median distance of two times of day in seconds; 12-hour clocks are accepted."""
    steps = sorted((b - a) % _HALF_DAY for a, b in pairwise(times))
    steps = [step for step in steps if step]
    return float(steps[len(steps) // 2]) if steps else None
