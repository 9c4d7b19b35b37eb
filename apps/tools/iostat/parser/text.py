"""iostat's tables, with other text around them.

A heading names the columns; the device stands first, with -h last. A report begins with a heading,
the CPU's table or a time, or where a device's figures come again. The text has no end mark, so a
last line that might be cut is left out and nobody can say whether more was to come.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from .columns import COLUMNS, IGNORED, DeviceValues, decimals, figure, is_column
from .reports import Reports

MAX_LINE = 4_000
MAX_TIMES = 100_000
BANNER = re.compile(r"^(?:Linux|AIX|Darwin) \S+ \(.{0,200}\)")
CPU = re.compile(r"^avg-cpu\s{0,4}:")
_CLOCK = re.compile(r"(?<!\d)(\d{1,2})[:时時](\d{2})[:分](\d{2})(?!\d)")
COMMAND = re.compile(r"(?:^|[\s#$/])iostat((?:\s{1,9}[\w./-]{1,64}){0,40})\s*$")
_HALF_DAY = 12 * 3600


@dataclass
class Table:
    """The heading that the following lines are read with."""

    columns: list[str]
    device_last: bool

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

    reports: Reports = field(default_factory=Reports)
    banner: bool = False
    since_start: bool = False
    _table: Table | None = None
    _heading: str = ""
    _times: list[int] = field(default_factory=list)

    def read(self, text: str) -> None:
        """Every line; of the last one only what is surely whole."""
        lines = text.split("\n")
        for line in lines[:-1]:
            self._line(line[:MAX_LINE].strip())
        last = lines[-1][:MAX_LINE]
        if self._table is not None and _surely_whole(last):
            self._line(last.strip())
        self.reports.boot = self.banner and not self.since_start
        self.reports.interval = self.reports.interval or _interval(self._times)

    def _line(self, line: str) -> None:
        if not line:
            return
        if found := heading(line):
            if line == self._heading:
                self.reports.begin()
            self._heading = self._heading if _continues(self._table, found) else line
            self._table = found
        elif CPU.match(line):
            self.reports.begin()
            self._table = None
        elif self._table is not None and (row := self._table.row(line)):
            self.reports.add(*row)
        else:
            self._other(line)

    def _other(self, line: str) -> None:
        if BANNER.match(line):
            self.banner = True
        elif command := COMMAND.search(line):
            self._command(command[1].split())
        elif (clock := _CLOCK.search(line)) and len(self._times) < MAX_TIMES:
            hours, minutes, seconds = map(int, clock.groups())
            self._times.append(hours * 3600 + minutes * 60 + seconds)
            self.reports.begin()

    def _command(self, words: list[str]) -> None:
        """`iostat -xy sda 5 100`: the interval comes first, then the count; -y leaves the time
        since boot out."""
        numbers = [int(word) for word in words if word.isdecimal() and len(word) < 7]
        self.reports.interval = float(numbers[0]) if numbers and numbers[0] else None
        self.since_start = any(re.match(r"^-[a-zA-Z]*y", word) for word in words)


def heading(line: str) -> Table | None:
    """The table a heading begins, None for any other line."""
    words = line.split()
    if len(words) < 3 or sum(map(is_column, words)) < len(words) - 1:
        return None
    if not is_column(words[0]):
        return Table(words[1:], device_last=False)
    return Table(words[:-1], device_last=True) if not is_column(words[-1]) else None


def _continues(table: Table | None, found: Table) -> bool:
    """-h prints a report as several tables: only its first heading begins one."""
    return table is not None and found.device_last and not set(found.columns) & set(table.columns)


def _surely_whole(line: str) -> bool:
    """Whether a line without its end cannot have lost anything: its last figure has as many
    decimals as the one before."""
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
