"""Prefixes that logs, journals and containers put before every line of a tool's output."""

from __future__ import annotations

import re
from collections.abc import Sequence

# [pod/fio-5x/fio] or fio-1  |
_CONTAINER = re.compile(r"(?:\[[\w.-]{1,99}/[\w./-]{1,199}\] ?|[\w.@-]{1,99} *\| ?)")
# 2026-11-02T10:00:00Z or Nov 02 10:00:00
_TIME = re.compile(
    r"(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d)(?: |$)"
)
# node1 fio[4120]:
_PROGRAM = re.compile(r"(?:[\w.-]{1,64} )?[\w./-]{1,64}(?:\[\d{1,10}\])?:(?: |$)")
_MIN_LINES = 3


def without_prefixes(text: str) -> str:
    """Remove a prefix of every non-empty line: a container's name, a time, a host and a program."""
    lines = text.split("\n")
    if sum(bool(line.strip()) for line in lines[:100]) < _MIN_LINES:
        return text
    plain = _without_same(lines, _CONTAINER)
    timed = _without(plain, _TIME)
    if timed is not plain:
        timed = _without_same(timed, _PROGRAM)
    return text if timed is lines else "\n".join(timed)


def _without(lines: Sequence[str], pattern: re.Pattern[str]) -> Sequence[str]:
    """Remove the pattern's match from each line; return the same object if a line has no match."""
    stripped = []
    for line in lines:
        match = pattern.match(line)
        if match is None and line.strip():
            return lines
        stripped.append(line[match.end() :] if match else line)
    return stripped


def _without_same(lines: Sequence[str], pattern: re.Pattern[str]) -> Sequence[str]:
    """Remove the pattern's match in the first line from all lines, if all begin with it."""
    first = next((line for line in lines if line.strip()), "")
    match = pattern.match(first)
    if match is None:
        return lines
    mark, width = match[0].rstrip(), match.end()
    if any(line.strip() and not line.startswith(mark) for line in lines):
        return lines
    return [line[width:] if line.startswith(match[0]) else line[len(mark) :] for line in lines]
