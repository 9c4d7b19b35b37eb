"""Recognise output of vdbench, as a whole and by single lines."""

from __future__ import annotations

import re

from apps.tools.text import RECOGNITION_BYTES, as_text

TIME = r"\d\d:\d\d:\d\d\.\d{3}"
# "Jan 24, 2019    interval        i/o   MB/sec", "Dec 11, 2020 .Interval. .ReqstdOps..."
HEADING = re.compile(
    r"^[A-Z]\w{2} \d\d, \d{4} {1,20}(?P<columns>interval {1,20}i/o .{1,400}"
    r"|\.Interval\. \.ReqstdOps.{1,400})$",
    re.MULTILINE,
)
START = re.compile(rf"^(?P<time>{TIME}) Starting RD=(?P<rest>.{{1,400}})$", re.MULTILINE)
END = re.compile(rf"^{TIME} Vdbench execution completed successfully\b", re.MULTILINE)


def detect(data: bytes) -> bool:
    """Return True for the heading of vdbench's intervals."""
    return bool(HEADING.search(as_text(data[:RECOGNITION_BYTES])))


def owns_line(line: str) -> bool:
    """Return True for a line that only vdbench writes."""
    return bool(HEADING.search(line) or START.search(line) or END.search(line))
