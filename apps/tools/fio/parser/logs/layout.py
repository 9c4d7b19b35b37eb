"""Columns of a log.

    time (ms), value, direction, block size (bytes)[, offset (bytes)][, priority][, issue time]

fio(1), "LOG FILE FORMATS". fio 1.x and 2.x wrote the first four, the offset came with `log_offset`,
the priority with 3.18. With `log_window_value=both` (3.37) a maximum stands behind the value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

LINE = re.compile(rb"\d{1,15}(?:, ?(?:\d{1,20}|0x[0-9a-fA-F]{1,8})){3,7}")
HISTOGRAM = re.compile(rb"\d{1,15}, ?[0-2], ?\d{1,12}(?:, ?\d{1,20}){19,1856}")
DIRECTIONS = (b"0", b"1", b"2")
_LOOKED_AT = 50


@dataclass(frozen=True)
class Layout:
    """`direction`: the column it stands in, 2 or 3; `nanoseconds`: true where the columns prove
    fio 3 (whose latencies are ns), None where nothing tells.
    """

    direction: int = 2
    nanoseconds: bool | None = None


def first_lines(data: bytes) -> list[bytes]:
    """The first complete lines that are not empty."""
    lines = data[: 256 * 1024].split(b"\n")[:-1]
    return [line.strip() for line in lines if line.strip()][:_LOOKED_AT]


def is_log(data: bytes) -> bool:
    """Whether the first lines are those of a log (not of a histogram log)."""
    lines = first_lines(data)
    return bool(lines) and all(LINE.fullmatch(line) and layout([line]) for line in lines)


def is_histogram_log(data: bytes) -> bool:
    """Whether the first lines are those of a histogram log."""
    lines = first_lines(data)[:3]
    return bool(lines) and all(HISTOGRAM.fullmatch(line) for line in lines)


def layout(lines: Sequence[bytes]) -> Layout | None:
    """The columns of most of these lines; None where no column can be the direction."""
    rows = [[cell.strip() for cell in line.split(b",")] for line in lines if LINE.fullmatch(line)]
    fitting = {place: [row for row in rows if _fits(row, place)] for place in (2, 3)}
    place = 3 if len(fitting[3]) > len(fitting[2]) else 2
    return Layout(place, _modern(fitting[place], place)) if fitting[place] else None


def _fits(row: Sequence[bytes], place: int) -> bool:
    return len(row) > place + 1 and row[place] in DIRECTIONS


def _modern(rows: Sequence[Sequence[bytes]], place: int) -> bool | None:
    """A priority, or more behind it, is fio 3's; a single further number may be an offset."""
    more = [row[place + 2 :] for row in rows]
    if place == 3 or any(len(cells) > 1 for cells in more):
        return True
    marks = {cell for cells in more for cell in cells}
    sure = marks and all(mark in (b"0", b"1") or mark.startswith(b"0x") for mark in marks)
    return True if sure else None
