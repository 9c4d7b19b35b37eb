"""Recognise output of IOMeter, as a whole and by single lines."""

from __future__ import annotations

import re

from apps.tools.text import RECOGNITION_BYTES, as_text

_HEADING = re.compile(r"^'Target Type,Target Name,Access Specification Name,", re.MULTILINE)


def detect(data: bytes) -> bool:
    """Return True for IOMeter's results."""
    return bool(_HEADING.search(as_text(data[:RECOGNITION_BYTES])))


def owns_line(line: str) -> bool:
    """Return True for the heading that only IOMeter writes."""
    return bool(_HEADING.search(line))
