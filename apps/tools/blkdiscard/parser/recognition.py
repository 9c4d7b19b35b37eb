"""Recognise output of a discard, as a whole and by single lines."""

from __future__ import annotations

_START = b'{"discard": '
_START_BYTES = 4096  # white space may precede the line


def detect(data: bytes) -> bool:
    """Return True if the output starts with the line of a discard."""
    return data[:_START_BYTES].lstrip().startswith(_START)


def owns_line(line: str) -> bool:
    """Return True if this is the line of a discard."""
    return line.lstrip().encode(errors="replace").startswith(_START)
