"""Columns of a log.

    time (ms), value, direction, block size (bytes)[, offset (bytes)][, priority][, issue time]

Source: fio(1), "LOG FILE FORMATS". fio 1.x and 2.x wrote the first four; the offset came with
`log_offset`, the priority with 3.18. With `log_window_value=both` (3.37) a maximum follows the
value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

LINE = re.compile(rb"\d{1,15}(?:, ?(?:\d{1,20}|0x[0-9a-fA-F]{1,8})){3,7}")
HISTOGRAM = re.compile(rb"\d{1,15}, ?[0-2], ?\d{1,12}(?:, ?\d{1,20}){19,1856}")
DIRECTIONS = (b"0", b"1", b"2")
_MAX_LINES = 50


@dataclass(frozen=True)
class Layout:
    """Columns of a log.

    `direction`: its column, 2 or 3; `nanoseconds`: True if the columns prove fio 3 (latencies in
    ns), None if unknown.
    """

    direction: int = 2
    nanoseconds: bool | None = None


def first_lines(data: bytes) -> list[bytes]:
    """Return the first complete lines that are not empty."""
    lines = data[: 256 * 1024].split(b"\n")[:-1]
    return [line.strip() for line in lines if line.strip()][:_MAX_LINES]


def is_log(data: bytes) -> bool:
    """Return True if the first lines are those of a log (not of a histogram log)."""
    lines = first_lines(data)
    return bool(lines) and all(LINE.fullmatch(line) and layout([line]) for line in lines)


def is_histogram_log(data: bytes) -> bool:
    """Return True if the first lines are those of a histogram log."""
    lines = first_lines(data)[:3]
    return bool(lines) and all(HISTOGRAM.fullmatch(line) for line in lines)


def layout(lines: Sequence[bytes]) -> Layout | None:
    """Return the columns of most of these lines; None if no column can be the direction."""
    rows = [[cell.strip() for cell in line.split(b",")] for line in lines if LINE.fullmatch(line)]
    fitting = {column: [row for row in rows if _fits(row, column)] for column in (2, 3)}
    column = 3 if len(fitting[3]) > len(fitting[2]) else 2
    return Layout(column, _is_fio3(fitting[column], column)) if fitting[column] else None


def _fits(row: Sequence[bytes], column: int) -> bool:
    return len(row) > column + 1 and row[column] in DIRECTIONS


def _is_fio3(rows: Sequence[Sequence[bytes]], column: int) -> bool | None:
    """Return True if the columns after the size prove fio 3.

    A priority, or several further columns, do; a single further number may be an offset.
    """
    more = [row[column + 2 :] for row in rows]
    if column == 3 or any(len(cells) > 1 for cells in more):
        return True
    marks = {cell for cells in more for cell in cells}
    are_priorities = marks and all(mark in (b"0", b"1") or mark.startswith(b"0x") for mark in marks)
    return True if are_priorities else None
