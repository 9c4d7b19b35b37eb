"""Recognise output of elbencho, as a whole and by single lines."""

from __future__ import annotations

import re

from apps.tools.text import RECOGNITION_BYTES, as_text

CSV_HEADING = re.compile(r"^ISO date,label,path type,paths,hosts,threads,", re.MULTILINE)
TABLE_HEADING = re.compile(r"^OPERATION {1,20}RESULT TYPE {1,20}FIRST DONE", re.MULTILINE)


def detect(data: bytes) -> bool:
    """Return True for elbencho's CSV and its table of results."""
    text = as_text(data[:RECOGNITION_BYTES])
    return bool(CSV_HEADING.search(text) or TABLE_HEADING.search(text))


def owns_line(line: str) -> bool:
    """Return True for a heading that only elbencho writes."""
    return bool(CSV_HEADING.search(line) or TABLE_HEADING.search(line))
