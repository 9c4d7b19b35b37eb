"""Lines that only dd writes; a text with several tools is split at them."""

from __future__ import annotations

import re

from .invocation import find_invocation
from .report_lines import figures

# "300000+0 records in", in any language.
_RECORDS = re.compile(r"^\s{0,9}\d{1,18}\+\d{1,18}\s{1,3}\D{2,60}$")
_MESSAGE = re.compile(r"^(?:\S{0,40}/)?dd: ")


def owns_line(line: str) -> bool:
    """Return True if only dd, or a script that calls it, writes this line."""
    if _RECORDS.match(line) or _MESSAGE.match(line) or find_invocation(line):
        return True
    return "/" in line and figures(line) is not None
