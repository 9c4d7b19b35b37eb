"""Recognise output of iozone, as a whole and by single lines."""

from __future__ import annotations

import re

from apps.tools.errors import OutputError
from apps.tools.text import RECOGNITION_BYTES, as_text

from .columns import HEADING
from .report import TITLE, Report
from .sheet import is_sheet, text_of
from .throughput_report import TITLE as THROUGHPUT_TITLE

BANNER = "Iozone: Performance Test of File I/O"
_CHILDREN = re.compile(r"Children see throughput for +\d")
_OWN_LINES = (
    *(HEADING, _CHILDREN, re.compile(r"iozone test complete\.")),
    re.compile(r"(?:^|[\s#$/])iozone\s{1,9}-"),
)


def detect(data: bytes) -> bool:
    """Return True if the bytes contain iozone's banner, table, throughput lines or report.

    Also True for an unreadable workbook, so that the parser reports the reason.
    """
    try:
        head = text_of(data) if is_sheet(data) else as_text(data[:RECOGNITION_BYTES])
    except OutputError:
        return True
    if BANNER in head or HEADING.search(head) or _CHILDREN.search(head):
        return True
    return any(_is_title(line[:200]) for line in head.split("\n"))


def _is_title(line: str) -> bool:
    return Report().line(line) if TITLE.match(line) else bool(THROUGHPUT_TITLE.match(line))


def owns_line(line: str) -> bool:
    """Return True if only iozone, or a script that calls it, writes this line."""
    if BANNER in line or TITLE.match(line):
        return True
    return any(mark.search(line) for mark in _OWN_LINES)
