"""Recognise output of warp, as a whole and by single lines."""

from __future__ import annotations

import re

from apps.tools.text import RECOGNITION_BYTES, as_text

HEADING = re.compile(
    r"^(?:Report|Operation): (?P<operation>[A-Za-z]{2,20})\b(?P<rest>[^\r\n]{0,120}"
    r"Concurrency: (?P<concurrency>\d{1,6})\b[^\r\n]{0,120})$",
    re.MULTILINE,
)


def detect(data: bytes) -> bool:
    """Return True for a report of warp."""
    return bool(HEADING.search(as_text(data[:RECOGNITION_BYTES])))


def owns_line(line: str) -> bool:
    """Return True for the heading that only warp writes."""
    return bool(HEADING.search(line))
