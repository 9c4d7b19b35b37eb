"""Lines that only rbd bench writes; a text with several tools is split at them."""

from __future__ import annotations

from .call import COMMAND
from .run import ANNOUNCED, ELAPSED, HEADING, SHARE


def owns_line(line: str) -> bool:
    """Return True if only rbd bench, or a script that calls it, writes this line."""
    if COMMAND.search(line):
        return True
    return any(mark.match(line) for mark in (ANNOUNCED, HEADING, ELAPSED, SHARE))
