"""A log's text -> its columns as arrays, in blocks.

Lines as fio prints them are read by array operations; a block with anything else in it is read line
by line, and what is no entry is counted. Nothing is read ahead of what is there: a number of more
than 16 digits, a line without its end, a foreign line are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.tools.base import OutputError
from apps.tools.fio.parser.bins.digits import PADDING, Integers, read_numbers
from apps.tools.sentences import sentence

from .alike import times_and_values
from .blocks import Blocks, LogText
from .growing import GrowingColumn, GrowingSizes, Whole
from .layout import Layout, first_lines, layout

MAX_LINES = 25_000_000
_NEWLINE, _COMMA, _SPACE, _ZERO = b"\n, 0"
_PLAIN = re.compile(
    rb"^[ \t]*(\d{1,15}), ?(\d{1,16}), ?(?:(\d{1,16}), ?)??([0-9]), ?(\d{1,12})"
    rb"(?:, ?(?:\d{1,20}|0x[0-9a-fA-F]{1,8})){0,3}[ \t]*\r?$",
    re.MULTILINE,
)


@dataclass(slots=True)
class Columns:
    """One entry at each place: `time` in ms, `value` in the log's unit, `direction` 0 to 9, `size`
    in bytes, 0 where the entry is of a window; `largest`: a window's largest value, where the log
    has it beside the mean. `foreign`: lines that are no entries; `cut`: whether a last line without
    its end was left out."""

    time: Whole
    value: Whole
    direction: NDArray[np.uint8]
    size: Whole
    layout: Layout
    foreign: int = 0
    cut: bool = False
    largest: Whole | None = None

    @property
    def windows(self) -> bool:
        """Whether entries are averages of windows (fio prints no block size with them)."""
        return bool(self.size.size) and not self.size.any()


def read_columns(text: LogText) -> Columns:
    """Every entry. Raises OutputError for a text that is no log, or that has too many lines."""
    blocks = Blocks(text)
    known = layout(first_lines(blocks.head))
    if known is None:
        raise OutputError("This is no log of fio: its first lines are no entries.")
    time, value, largest = GrowingColumn(), GrowingColumn(), GrowingColumn()
    direction, size = GrowingColumn(np.uint8), GrowingSizes()
    both = known.direction == 3
    foreign = lines = 0
    for block in blocks:
        entries = _quickly(b" " * PADDING + block, known.direction)
        if entries is None:
            entries, others = _slowly(block, known.direction)
            foreign += others
        found = (time, value, direction, size, *([largest] if both else ()))
        for column, numbers in zip(found, entries, strict=False):
            column.add(numbers)
        lines += entries[0].size
        if lines > MAX_LINES:
            raise OutputError(sentence("The log has more than %(most)d lines.", most=MAX_LINES))
    whole = time.whole(), value.whole(), direction.whole(), size.whole()
    return Columns(*whole, known, foreign, blocks.cut, largest.whole() if both else None)


Found = tuple[Whole, Whole, Whole, Whole, Whole]


def _quickly(text: bytes, place: int) -> Found | None:
    """The entries of a block in which every line has the same columns; else None."""
    raw = np.frombuffer(text, np.uint8)
    newlines = np.flatnonzero(raw == _NEWLINE)
    if place == 2 and newlines.size > 1 and (pair := times_and_values(text, newlines)):
        first = _quickly(text[: int(newlines[0]) + 1], place)
        if first is None:
            return None
        same = [np.repeat(column, newlines.size) for column in first[2:4]]
        return *pair, same[0], same[1], pair[1]
    commas = np.flatnonzero(raw == _COMMA)
    width, rest = divmod(commas.size, newlines.size)
    if rest or not place + 1 <= width <= place + 4:
        return None
    starts = np.empty_like(newlines)
    starts[0], starts[1:] = PADDING, newlines[:-1] + 1
    marks = np.ascontiguousarray(commas.reshape(newlines.size, width).T)
    if (marks[0] < starts).any() or (marks[-1] > newlines).any():
        return None
    space = 1 + int(raw[marks[0][0] + 1] == _SPACE)
    if space == 2 and not (raw[marks[: place + 1] + 1] == _SPACE).all():
        return None
    sizes_end = marks[place + 1] if width > place + 1 else newlines
    directions = marks[place - 1] + space
    if not (marks[place] == directions + 1).all():
        return None
    time = read_numbers(text, starts, marks[0])
    value = read_numbers(text, marks[0] + space, marks[1])
    size = _sizes(text, raw, marks[place] + space, sizes_end)
    largest = read_numbers(text, marks[1] + space, marks[2]) if place == 3 else value
    digit = raw[directions] - np.uint8(_ZERO)
    if time is None or value is None or size is None or largest is None or (digit > 9).any():
        return None
    return time, value, digit, size, largest


def _sizes(
    text: bytes, raw: NDArray[np.uint8], begins: Integers, ends: Integers
) -> Integers | None:
    """The block sizes: of windows a 0 on every line."""
    if (ends - begins == 1).all() and (raw[begins] == _ZERO).all():
        return np.zeros(begins.size, np.int64)
    return read_numbers(text, begins, ends)


def _slowly(text: bytes, place: int) -> tuple[Found, int]:
    """The entries among the lines, and how many lines are none."""
    rows = [match for match in _PLAIN.findall(text) if bool(match[2]) == (place == 3)]
    lines = sum(1 for line in text.split(b"\n") if line.strip())
    time, value, size, largest = (
        np.array([int(row[column]) for row in rows], np.int64)
        for column in (0, 1, 4, 2 if place == 3 else 1)
    )
    direction = np.array([int(row[3]) for row in rows], np.uint8)
    return (time, value, direction, size, largest), lines - len(rows)
