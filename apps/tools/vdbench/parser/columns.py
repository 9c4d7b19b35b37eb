"""Columns of vdbench's intervals: two heading lines, which differ between versions and loads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from apps.tools.text import parse_number

from .recognition import TIME

_ROW = re.compile(
    rf"^(?P<time>{TIME}) {{0,20}}(?P<name>avg_(?P<from>\d{{1,9}})(?:-(?P<to>\d{{1,9}}))?|\d{{1,9}})"
    r" {1,20}(?P<values>[\d.NaE+ -]{1,600})$"
)
# Groups of the heading of file system loads with one column; the others have two.
_SINGLE = frozenset({"read", "mb/sec", ".xfer.."})


@dataclass(frozen=True)
class Row:
    """One line: an interval, or an average over intervals `first` to `last`."""

    seconds: float
    is_average: bool
    first: int
    last: int
    values: Mapping[str, float]


def columns_of(upper: str, lower: str) -> tuple[str, ...]:
    """Return the names of the columns after the interval: "i/o rate", "write resp"."""
    above, below = upper.split(), lower.split()
    if above and above[0] == "interval":
        return tuple(f"{a} {b}" for a, b in zip(above[1:], below, strict=False))
    return tuple(f"{name} {b}" for name, b in zip(_spread(above[1:]), below, strict=False))


def _spread(groups: list[str]) -> Iterator[str]:
    for group in groups:
        name = group.strip(".").lower()
        yield from [name] * (1 if group in _SINGLE else 2)


def row_of(line: str, columns: tuple[str, ...]) -> Row | None:
    """Return a line of figures; None for any other line and for one that is cut off."""
    match = _ROW.match(line.rstrip())
    if match is None or not columns:
        return None
    texts = match["values"].split()
    if len(texts) != len(columns):
        return None
    values = {name: value for name, text in zip(columns, texts, strict=True)
              if (value := parse_number(text)) is not None}  # fmt: skip
    is_average = match["name"].startswith("avg")
    first = int(match["from"] or match["name"].removeprefix("avg_"))
    last = int(match["to"] or first)
    return Row(_seconds(match["time"]), is_average, first, last, values)


def _seconds(time: str) -> float:
    hours, minutes, seconds = time.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)
