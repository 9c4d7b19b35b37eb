"""Lines that are those of rbd bench alone, by which a text of several tools is split."""

from __future__ import annotations

import re

from .run import ANNOUNCED, ELAPSED, HEADING, SHARE

_COMMAND = re.compile(r"(?:^|[\s#$/])rbd\s[^\n]{0,200}\bbench(?:-write)?\b")


def claims(line: str) -> bool:
    """Whether nobody but rbd bench, or somebody who called it, wrote this line."""
    if _COMMAND.search(line):
        return True
    return any(mark.match(line) for mark in (ANNOUNCED, HEADING, ELAPSED, SHARE))
