"""Recognise output of iperf 2 and iperf3, as a whole and by single lines."""

from __future__ import annotations

import re

from apps.tools.text import RECOGNITION_BYTES, as_text

from . import marks
from .csv import is_csv_line
from .documents import START
from .text_rows import row

_JSON_MARK = re.compile(r'"version"\s*:\s*"iperf |"intervals"\s*:\s*\[')
_MESSAGE = re.compile(r"^iperf3?: ")
_COMMAND = re.compile(r"(?:^|[\s#$/])iperf3?\s{1,9}-")
_OWN_LINES = (marks.HEADING, marks.CONNECTED, marks.DONE, marks.REPORT, _COMMAND)


def detect(data: bytes) -> bool:
    """Return True if these bytes look like iperf 2 or iperf3, in any format."""
    head = as_text(data[:RECOGNITION_BYTES])
    if START.search(head) and _JSON_MARK.search(head):
        return True
    return any(_begins_output(line[:1_000]) for line in head.split("\n"))


def owns_line(line: str) -> bool:
    """Return True if only iperf, or a script that calls it, writes this line."""
    return _begins_output(line) or any(mark.search(line) for mark in _OWN_LINES)


def _begins_output(line: str) -> bool:
    """Return True for a row, a message, and the first line of a test."""
    if is_csv_line(line) or ("sec" in line and row(line, "")):
        return True
    return any(mark.search(line) for mark in (_MESSAGE, *marks.STARTS))
