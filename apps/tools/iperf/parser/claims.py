"""Lines that are iperf's alone, by which a text of several tools is split."""

from __future__ import annotations

import re

from . import csv, text_rows

_COMMAND = re.compile(r"(?:^|[\s#$/])iperf3?\s{1,9}-")
_SAID = re.compile(r"^iperf3?: ")
_MARKS = (
    *(
        text_rows.CLIENT,
        text_rows.SERVER,
        text_rows.CLIENT3,
        text_rows.SERVER3,
        text_rows.HEADING,
        text_rows.CONNECTED,
    ),
    *(text_rows.DONE, text_rows.REPORT, csv.LINE, csv.HEADING, _COMMAND, _SAID),
)


def claims(line: str) -> bool:
    """Whether nobody but iperf, or somebody who called it, wrote this line."""
    if "sec" in line and text_rows.row(line, ""):
        return True
    return any(mark.search(line) for mark in _MARKS)
