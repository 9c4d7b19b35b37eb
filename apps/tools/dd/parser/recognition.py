"""Recognise output of dd, as a whole and by single lines."""

from __future__ import annotations

import re
from itertools import pairwise

from apps.tools.text import RECOGNITION_BYTES, clean

from .invocation import find_invocation
from .report_lines import decode, figures

# "300000+0 records in", in any language.
_RECORDS = re.compile(r"^\s{0,9}\d{1,18}\+\d{1,18}\s{1,3}\D{2,60}$")
_MESSAGE = re.compile(r"^(?:\S{0,40}/)?dd: ")


def detect(data: bytes) -> bool:
    """Return True if a line is dd's result, or two lines into which a mail program wrapped it."""
    lines = clean(data[:RECOGNITION_BYTES]).replace(b"\r", b"\n").split(b"\n")
    return any(b"/" in line and figures(decode(line[-2_000:])) for line in lines) or any(
        b"/" in line and figures(decode(before[-1_000:] + b" " + line[-1_000:]))
        for before, line in pairwise(lines)
    )


def owns_line(line: str) -> bool:
    """Return True if only dd, or a script that calls it, writes this line."""
    if _RECORDS.match(line) or _MESSAGE.match(line) or find_invocation(line):
        return True
    return "/" in line and figures(line) is not None
