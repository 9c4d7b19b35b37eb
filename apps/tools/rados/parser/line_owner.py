"""Lines that are those of rados bench alone, by which a text of several tools is split."""

from __future__ import annotations

import re

from .call import command
from .text import ANNOUNCED, HEADING

_SUMMARY = re.compile(r"^[ \t|]*Total (?:time run|writes made|reads made)\b")
_PREFIX = re.compile(r"^Object prefix: benchmark_data_")


def claims(line: str) -> bool:
    """Whether nobody but rados bench, or somebody who called it, wrote this line."""
    marks = (_SUMMARY, _PREFIX, HEADING, ANNOUNCED)
    return any(mark.search(line) for mark in marks) or command(line) is not None
