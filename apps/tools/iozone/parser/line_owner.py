"""Lines that only iozone writes; a text with several tools is split at them."""

from __future__ import annotations

import re

from .columns import HEADING
from .report import TITLE

_MARKS = (
    re.compile(r"Iozone: Performance Test of File I/O|iozone test complete\."),
    re.compile(r"Children see throughput for +\d"),
    re.compile(r"(?:^|[\s#$/])iozone\s{1,9}-"),
)


def owns_line(line: str) -> bool:
    """Return True if only iozone, or a script that calls it, writes this line."""
    return any(mark.search(line) for mark in (*_MARKS, HEADING)) or bool(TITLE.match(line))
