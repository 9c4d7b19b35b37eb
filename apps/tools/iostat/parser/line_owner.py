"""Lines that only iostat writes; a text with several tools is split at them."""

from __future__ import annotations

from .text import BANNER, COMMAND, CPU, heading


def owns_line(line: str) -> bool:
    """Return True if only iostat, or a script that calls it, writes this line."""
    if "/s" in line and heading(line) is not None:
        return True
    return any(mark.search(line) for mark in (BANNER, CPU, COMMAND))
