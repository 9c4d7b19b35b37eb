"""Lines that are iostat's alone, by which a text of several tools is split."""

from __future__ import annotations

from .text import BANNER, COMMAND, CPU, heading


def claims(line: str) -> bool:
    """Whether nobody but iostat, or somebody who called it, wrote this line."""
    if "/s" in line and heading(line) is not None:
        return True
    return any(mark.search(line) for mark in (BANNER, CPU, COMMAND))
