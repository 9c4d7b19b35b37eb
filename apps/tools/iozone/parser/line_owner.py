"""Lines that are iozone's alone, by which a text of several tools is split."""

from __future__ import annotations

import re

from .columns import HEADING
from .report import TITLE

_MARKS = (
    re.compile(r"Iozone: Performance Test of File I/O|iozone test complete\."),
    re.compile(r"Children see throughput for +\d"),
    re.compile(r"(?:^|[\s#$/])iozone\s{1,9}-"),
)


def claims(line: str) -> bool:
    """Whether nobody but iozone, or somebody who called it, wrote this line."""
    return any(mark.search(line) for mark in (*_MARKS, HEADING)) or bool(TITLE.match(line))
