"""Lines that are iperf's alone, by which a text of several tools is split."""

from __future__ import annotations

import re

from . import csv, lines

_COMMAND = re.compile(r"(?:^|[\s#$/])iperf3?\s{1,9}-")
_SAID = re.compile(r"^iperf3?: ")
_MARKS = (
    *(lines.CLIENT, lines.SERVER, lines.CLIENT3, lines.SERVER3, lines.HEADING, lines.CONNECTED),
    *(lines.DONE, lines.REPORT, csv.LINE, csv.HEADING, _COMMAND, _SAID),
)


def claims(line: str) -> bool:
    """Whether nobody but iperf, or somebody who called it, wrote this line."""
    if "sec" in line and lines.row(line, ""):
        return True
    return any(mark.search(line) for mark in _MARKS)
