"""iostat's tables, with other text around them.

A heading names the columns; the device stands first, with -h last. A report begins with a heading,
the CPU's table or a time, or where a device's figures come again. A recording begins with a
command, with the line that names the host, or with the first report behind other text. The text has
no end mark, so a last line that might be cut is left out.
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
# What a page or a person puts within a recording: "...", "```", a line of figures.
_NO_WORD = re.compile(r"[^\w]+|_+")
_MOST_JOINED = 4


@dataclass
class Table:
    """The heading that the following lines are read with."""

    columns: list[str]
    device_last: bool
    wrapped: bool = False

    def goes_on(self, line: str) -> bool:
        """Take the rest of a heading that a mailer wrapped."""
        words = line.split()
        if self.device_last or not all(map(is_column, words)) or set(words) & set(self.columns):
            return False
        self.columns += words
        self.wrapped = True
        return True

    def row(self, line: str) -> tuple[str, DeviceValues] | None:
        """A device and its figures, None for a line that is none of this table."""
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
    """The state of reading line by line."""

    recordings: list[Reports] = field(default_factory=lambda: [Reports()])
    processor: bool = False
    _table: Table | None = None
    _heading: str = ""
    _under_heading: bool = False
    _times: list[int] = field(default_factory=list)
    _since_start: bool = False
    _interrupted: bool = False
    _held: list[str] = field(default_factory=list)
    _number: int = 0

    def read(self, text: str) -> None:
        """Every line; of the last one only what is surely whole."""
        lines = text.split("\n")
        for line, count in joined(lines[:-1], _goes_on):
            self._line(line[:MAX_LINE].strip(), count)
        last = lines[-1][:MAX_LINE]
        if self._table is not None and _surely_whole(last):
            self._line(last.strip())
        self._end()

    def _line(self, line: str, count: int = 1) -> None:
        self._number += count
        if not line:
            return
        under, self._under_heading = self._under_heading, False
        if self._table is not None and under and self._table.goes_on(line):
            self._under_heading = True
        elif found := heading(line):
            self._begin_table(found, line)
        elif CPU.match(line):
            self.processor = True
            self._begin_report()
            self._table = None
        elif not self._row(line):
            self._other(line)
            return
        self.recordings[-1].at(self._number)

    def _begin_table(self, found: Table, line: str) -> None:
        if self._interrupted:
            self._next()
        if line == self._heading:
            self.recordings[-1].begin()
        self._heading = self._heading if _continues(self._table, found) else line
        self._table, self._under_heading, self._held = found, True, []

    def _begin_report(self) -> None:
        if self._interrupted:
            self._next()
        self.recordings[-1].begin()

    def _row(self, line: str) -> bool:
        """Take a row, or a part of one below a heading that a mailer wrapped."""
        if self._table is None:
            return False
        self._held.append(line)
        whole = " ".join(self._held)
        if row := self._table.row(whole):
            self.recordings[-1].add(*row)
        elif self._table.wrapped and self._is_part(whole):
            return True
        elif len(self._held) > 1:
            self._held = []
            return self._row(line)
        self._held = []
        return row is not None

    def _is_part(self, text: str) -> bool:
        words = text.split()
        wanted = len(self._table.columns) + 1 if self._table else 0
        figures = all(decimals(word) is not None for word in words[1:])
        return figures and len(words) < wanted and len(self._held) < _MOST_JOINED

    def _other(self, line: str) -> None:
        if found := BANNER.match(line):
            self._next()
            self.recordings[-1].boot = not self._since_start
            self.recordings[-1].host = found["host"].strip()
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
        """`iostat -xy sda 5 100`: the interval comes first, then the count; -y leaves the time
        since boot out.
        """
        numbers = [int(word) for word in words if word.isdecimal() and len(word) < 7]
        self.recordings[-1].interval = float(numbers[0]) if numbers and numbers[0] else None
        self._since_start = any(re.match(r"^-[a-zA-Z]*y", word) for word in words)

    def _next(self) -> None:
        """Begin a recording, where the one before has reports."""
        self._interrupted = False
        if not self.recordings[-1].filled:
            return
        self._end()
        self.recordings.append(Reports())
        self._table, self._heading, self._times, self._held = None, "", [], []
        self._since_start = False

    def _end(self) -> None:
        last = self.recordings[-1]
        last.interval = last.interval or _interval(self._times)


def _goes_on(line: str, rest: str) -> bool:
    """Whether a mailer wrapped iostat's first line before the host."""
    return rest.lstrip().startswith("(") and _BANNER_BEGINS.match(line) is not None


def heading(line: str) -> Table | None:
    """The table a heading begins, None for any other line."""
    words = line.split()
    if len(words) < 3 or sum(map(is_column, words)) < len(words) - 1:
        return None
    if not is_column(words[0]):
        return Table(words[1:], device_last=False)
    return Table(words[:-1], device_last=True) if not is_column(words[-1]) else None


def _is_text(line: str) -> bool:
    """Whether a line is somebody's words, and no row of figures that could not be read."""
    words = [word for word in line.split() if not _NO_WORD.fullmatch(word)]
    known = [word for word in words if decimals(word) is not None]
    return len(words) > 2 * len(known)


def _continues(table: Table | None, found: Table) -> bool:
    """-h prints a report as several tables: only its first heading begins one."""
    return table is not None and found.device_last and not set(found.columns) & set(table.columns)


def _surely_whole(line: str) -> bool:
    """Whether a line without its end cannot have lost anything: its last figure has as many
    decimals as the one before.
    """
    words = line.split()
    if line != line.rstrip() or len(words) < 3:
        return False
    last, before = decimals(words[-1]), decimals(words[-2])
    return bool(last) and last == before


def _interval(times: list[int]) -> float | None:
    """The usual distance of two times of day in seconds; clocks of 12 hours are welcome."""
    steps = sorted((b - a) % _HALF_DAY for a, b in pairwise(times))
    steps = [step for step in steps if step]
    return float(steps[len(steps) // 2]) if steps else None
