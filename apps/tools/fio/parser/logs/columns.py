"""A log's text -> its columns as arrays, in blocks.

NumPy reads the lines; a block with anything else in it is read line by line, and what is no entry
is counted: a number of more than 16 digits, a foreign line. A line without its end is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import StringIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.tools.errors import OutputError
from apps.tools.messages import message

from .blocks import Blocks, LogText
from .layout import Layout, first_lines, layout

MAX_LINES = 25_000_000
MOST = 10**16  # numbers of 16 digits
Whole = NDArray[Any]  # int32 where all fit, else int64
# Of time, value, direction, size and the largest value of a window, where all numbers fit.
_KINDS: tuple[type[np.integer[Any]], ...] = (np.int32, np.int32, np.uint8, np.int32, np.int32)
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
    its end was left out.
    """

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
    both = known.direction == 3
    columns: list[list[Whole]] = [[] for _ in range(4 + both)]
    foreign = lines = 0
    for block in blocks:
        entries = _quickly(block, known.direction)
        if entries is None:
            entries, others = _slowly(block, known.direction)
            foreign += others
        for column, numbers, kind in zip(columns, entries, _KINDS, strict=False):
            column.append(_narrowed(numbers, kind))
        lines += len(entries[0])
        if lines > MAX_LINES:
            raise OutputError(message("The log has more than %(most)d lines.", most=MAX_LINES))
    time, value, direction, size, *largest = map(_joined, columns)
    return Columns(
        time, value, direction, size, known, foreign, blocks.cut, largest[0] if both else None
    )


def _narrowed(numbers: Whole, kind: type[np.integer[Any]]) -> Whole:
    fits = not numbers.size or int(numbers.max()) <= np.iinfo(kind).max
    return numbers.astype(kind if fits else np.int64)


def _joined(blocks: list[Whole]) -> Whole:
    """One array of all blocks, which are gone then."""
    whole = np.concatenate(blocks) if blocks else np.empty(0, np.int32)
    blocks.clear()
    return whole


def _places(direction: int) -> tuple[int, ...]:
    """Columns of time, value, direction and size, and of a window's largest value."""
    return (0, 1, direction, direction + 1, 2)[: direction + 2]


def _quickly(block: bytes, place: int) -> Whole | None:
    """The columns of a block in which every line is an entry of as many columns; else None."""
    if not block.strip():
        return None
    text = StringIO(block.decode("latin-1"))
    try:
        rows = np.loadtxt(
            text, np.int64, comments=None, delimiter=",", usecols=_places(place), ndmin=2
        )
    except ValueError:
        return None
    width, rest = divmod(block.count(b","), len(rows))
    if rest or not place + 1 <= width <= place + 4:
        return None
    if int(rows.min()) < 0 or int(rows.max()) >= MOST or int(rows[:, 2].max()) > 9:
        return None
    return rows.T


def _slowly(block: bytes, place: int) -> tuple[Whole, int]:
    """The columns of the entries among the lines, and how many lines are none."""
    matches = [match for match in _PLAIN.findall(block) if bool(match[2]) == (place == 3)]
    lines = sum(1 for line in block.split(b"\n") if line.strip())
    order = (0, 1, 3, 4, 2)[: place + 2]
    rows = [[int(match[column]) for column in order] for match in matches]
    return np.array(rows, np.int64).reshape(-1, len(order)).T, lines - len(rows)
