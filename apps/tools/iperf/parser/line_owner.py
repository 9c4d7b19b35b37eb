"""Lines that only iperf writes; a text with several tools is split at them."""

from __future__ import annotations

import re

from . import csv, marks, text_rows

_COMMAND = re.compile(r"(?:^|[\s#$/])iperf3?\s{1,9}-")
_PROGRAM = re.compile(r"^iperf3?: ")
_MARKS = (
    *marks.STARTS,
    *(marks.HEADING, marks.CONNECTED, marks.DONE, marks.REPORT),
    *(csv.LINE, csv.HEADING, _COMMAND, _PROGRAM),
)


def owns_line(line: str) -> bool:
    """Return True if only iperf, or a script that calls it, writes this line."""
    if "sec" in line and text_rows.row(line, ""):
        return True
    return any(mark.search(line) for mark in _MARKS)
