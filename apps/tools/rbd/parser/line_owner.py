"""Lines that are those of rbd bench alone, by which a text of several tools is split."""

from __future__ import annotations

from .call import COMMAND
from .run import ANNOUNCED, ELAPSED, HEADING, SHARE


def claims(line: str) -> bool:
    """Whether nobody but rbd bench, or somebody who called it, wrote this line."""
    if COMMAND.search(line):
        return True
    return any(mark.match(line) for mark in (ANNOUNCED, HEADING, ELAPSED, SHARE))
