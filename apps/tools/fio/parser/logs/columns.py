"""Columns of a log as arrays, parsed in blocks.

NumPy parses the lines. A block with anything else is parsed line by line. Lines that are no entries
(foreign lines, numbers of more than 16 digits) are counted. An unfinished last line is dropped.
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
VALUE_LIMIT = 10**16  # exclusive limit: numbers of 16 digits
Whole = NDArray[Any]  # int32 where all fit, else int64
# Types of time, value, direction, size and the largest value of a window, if all numbers fit.
_KINDS: tuple[type[np.integer[Any]], ...] = (np.int32, np.int32, np.uint8, np.int32, np.int32)
_PLAIN = re.compile(
    rb"^[ \t]*(\d{1,15}), ?(\d{1,16}), ?(?:(\d{1,16}), ?)??([0-9]), ?(\d{1,12})"
    rb"(?:, ?(?:\d{1,20}|0x[0-9a-fA-F]{1,8})){0,3}[ \t]*\r?$",
    re.MULTILINE,
)


@dataclass(slots=True)
class Columns:
    """Entries of a log, one per index.

    - `time`: ms.
    - `value`: in the log's unit.
    - `direction`: 0 to 9.
    - `size`: bytes, 0 for an entry of a window.
    - `largest`: a window's largest value, if the log has it beside the mean.
    - `foreign`: number of lines that are no entries.
    - `cut`: True if an unfinished last line was dropped.
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
        """Return True if entries are averages of windows, for which fio prints no block size."""
        return bool(self.size.size) and not self.size.any()


def read_columns(text: LogText) -> Columns:
    """Return every entry.

    Raises: OutputError for a text that is no log, or that has too many lines.
    """
    blocks = Blocks(text)
    log_layout = layout(first_lines(blocks.head))
    if log_layout is None:
        raise OutputError("This is no log of fio: its first lines are no entries.")
    both = log_layout.direction == 3
    columns: list[list[Whole]] = [[] for _ in range(4 + both)]
    foreign = lines = 0
    for block in blocks:
        entries = _parse_block(block, log_layout.direction)
        if entries is None:
            entries, others = _parse_lines(block, log_layout.direction)
            foreign += others
        for column, numbers, kind in zip(columns, entries, _KINDS, strict=False):
            column.append(_narrowed(numbers, kind))
        lines += len(entries[0])
        if lines > MAX_LINES:
            raise OutputError(message("The log has more than %(most)d lines.", most=MAX_LINES))
    time, value, direction, size, *largest = map(_joined, columns)
    return Columns(
        time, value, direction, size, log_layout, foreign, blocks.cut, largest[0] if both else None
    )


def _narrowed(numbers: Whole, kind: type[np.integer[Any]]) -> Whole:
    fits = not numbers.size or int(numbers.max()) <= np.iinfo(kind).max
    return numbers.astype(kind if fits else np.int64)


def _joined(blocks: list[Whole]) -> Whole:
    """Return one array of all blocks, and free the blocks."""
    whole = np.concatenate(blocks) if blocks else np.empty(0, np.int32)
    blocks.clear()
    return whole


def _column_indices(direction: int) -> tuple[int, ...]:
    """Return the columns of time, value, direction, size and largest value."""
    return (0, 1, direction, direction + 1, 2)[: direction + 2]


def _parse_block(block: bytes, direction: int) -> Whole | None:
    """Return the columns of a block of entries of equal width; else None."""
    if not block.strip():
        return None
    text = StringIO(block.decode("latin-1"))
    try:
        rows = np.loadtxt(
            text,
            np.int64,
            comments=None,
            delimiter=",",
            usecols=_column_indices(direction),
            ndmin=2,
        )
    except ValueError:
        return None
    width, rest = divmod(block.count(b","), len(rows))
    if rest or not direction + 1 <= width <= direction + 4:
        return None
    if int(rows.min()) < 0 or int(rows.max()) >= VALUE_LIMIT or int(rows[:, 2].max()) > 9:
        return None
    return rows.T


def _parse_lines(block: bytes, direction: int) -> tuple[Whole, int]:
    """Return the columns of the entries, and the number of other lines."""
    matches = [match for match in _PLAIN.findall(block) if bool(match[2]) == (direction == 3)]
    lines = sum(1 for line in block.split(b"\n") if line.strip())
    order = (0, 1, 3, 4, 2)[: direction + 2]
    rows = [[int(match[column]) for column in order] for match in matches]
    return np.array(rows, np.int64).reshape(-1, len(order)).T, lines - len(rows)
