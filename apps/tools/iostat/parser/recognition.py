"""Recognise output of iostat, as a whole and by single lines."""

from __future__ import annotations

from apps.tools.text import RECOGNITION_BYTES, as_text

from .json import START
from .text import BANNER, COMMAND, CPU, heading


def detect(data: bytes) -> bool:
    """Return True if these bytes contain a heading of iostat, or its JSON."""
    head = as_text(data[:RECOGNITION_BYTES])
    return bool(START.search(head)) or any(
        ("/s" in line and heading(line[:4_000]) is not None) or CPU.match(line)
        for line in head.split("\n")
    )


def owns_line(line: str) -> bool:
    """Return True if only iostat, or a script that calls it, writes this line."""
    if "/s" in line and heading(line) is not None:
        return True
    return any(mark.search(line) for mark in (BANNER, CPU, COMMAND))
