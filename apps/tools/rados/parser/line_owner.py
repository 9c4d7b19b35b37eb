"""Lines that only rados bench writes; a text with several tools is split at them."""

from __future__ import annotations

import re

from .call import command
from .text import ANNOUNCED, HEADING

_SUMMARY = re.compile(r"^[ \t|]*Total (?:time run|writes made|reads made)\b")
_PREFIX = re.compile(r"^Object prefix: benchmark_data_")


def owns_line(line: str) -> bool:
    """Return True if only rados bench, or a script that calls it, writes this line."""
    marks = (_SUMMARY, _PREFIX, HEADING, ANNOUNCED)
    return any(mark.search(line) for mark in marks) or command(line) is not None
