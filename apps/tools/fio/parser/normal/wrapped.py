"""Joining of lines of fio's text that a mail program or a page wrapped.

Only lines that fio never ends there are joined. These begin as an announcement, a result or a total
and are complete with the next lines, or they end within a list of figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from . import patterns as pattern

_MAX_JOINED = 3
_BEGINNINGS = (
    (re.compile(r": \(g=\d{1,6}\): "), pattern.DESCRIPTION),
    (re.compile(r": \(groupid=\d{1,6}, "), pattern.JOB),
    (re.compile(r"(?:read|write|trim|mixed) ?: IOPS="), pattern.NEW_DIRECTION),
    (re.compile(r"(?:read|write|trim|mixed) ?: io="), pattern.OLD_DIRECTION),
    (re.compile(r"(?:READ|WRITE|TRIM|MIXED): (?:bw|io)="), pattern.STATUS_LINE),
    (re.compile(r": ios=\d"), pattern.DISK),
    (re.compile(r"steadystate *: attained="), re.compile(r"(?:dev|slope) ?= ?-?\d")),
)
# bw (  KiB/s): min=57656, max=57656, per=100.00%,
_OPEN = re.compile(r"(?:th=\[|\w=|[\w%]= {0,8}[\d.,kKM%]{1,20},)\s*$")
_LIST = re.compile(r"min=|usr=|=\d[\d.]{0,9}%|total=|th=\[")
_COMPLETE_ROW = re.compile(r"th=\[ *[\d.kKM]+\],\s*$")


def unwrapped(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield each line with its number from 1; wrapped lines joined, with the first number."""
    at = 0
    while at < len(lines):
        line, used = _joined(lines, at)
        yield at + 1, line
        at += used


def _joined(lines: Sequence[str], at: int) -> tuple[str, int]:
    """Return the line at an index joined with its continuation, and the number of lines."""
    line = lines[at]
    for begin, whole in _BEGINNINGS:
        if begin.search(line):
            return (line, 1) if whole.search(line) else _completed(lines, at, whole)
    if _is_open(line) and at + 1 < len(lines) and lines[at + 1].strip():
        return f"{line.rstrip()} {lines[at + 1].lstrip()}", 2
    return line, 1


def _completed(lines: Sequence[str], at: int, whole: re.Pattern[str]) -> tuple[str, int]:
    """Return the line joined with the lines that complete it; alone if none do."""
    text = lines[at].rstrip()
    for used in range(1, _MAX_JOINED):
        if at + used >= len(lines) or not lines[at + used].strip():
            break
        text = f"{text} {lines[at + used].strip()}"
        if whole.search(text):
            return text, used + 1
    return lines[at], 1


def _is_open(line: str) -> bool:
    return bool(
        _OPEN.search(line[-40:]) and _LIST.search(line) and not _COMPLETE_ROW.search(line[-40:])
    )
