"""Recognise output of rbd bench, as a whole and by single lines."""

from __future__ import annotations

from apps.tools.text import RECOGNITION_BYTES, as_text

from .call import COMMAND
from .run import ANNOUNCED, ELAPSED, HEADING, MAX_LINE, SHARE


def detect(data: bytes) -> bool:
    """Return True for output of rbd bench."""
    lines = (line[:MAX_LINE] for line in as_text(data[:RECOGNITION_BYTES]).split("\n"))
    return any(ANNOUNCED.match(line) or HEADING.match(line) for line in lines)


def owns_line(line: str) -> bool:
    """Return True if only rbd bench, or a script that calls it, writes this line."""
    if COMMAND.search(line):
        return True
    return any(mark.match(line) for mark in (ANNOUNCED, HEADING, ELAPSED, SHARE))
