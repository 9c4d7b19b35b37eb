"""Split a text into lines, with wrapped rows, headings and commands joined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .marks import HEADING

MAX_LENGTH = 1_000
MAX_PARTS = 10
# Continuation mark of a shell command.
_CONTINUATION = "\\"
_ROW = re.compile(r"\[ *(?:SUM[\w-]{0,8}|\*?\d{1,6})\](?:\[[TR]X-[CS]\])?\s{1,6}\d{1,9}\.\d{1,6}-")
_FIGURE = r"-?\d{1,15}(?:\.\d{1,9})?|-?nan|\d{1,15}/ *\d{1,15}"
_WORD = (
    r"sec|ms|us|[KMGTP]?Bytes|[KMGTP]?(?:bits|Bytes)/sec|\([-+.\de]{1,12}%\)|sender|receiver|"
    r"\(omitted\)|pps"
)
_REST = re.compile(rf"\s{{0,40}}(?:(?:{_FIGURE}|(?P<word>{_WORD}))(?:\s{{1,40}}|$)){{1,12}}$")
_NAMES = re.compile(
    r"\s{0,40}(?:(?:Interval|Transfer|Bandwidth|Bitrate|Retr|Cwnd|Jitter|Lost/Total|Total|Datagrams)"
    r"(?:\s{1,40}|$)){1,8}$"
)
# End of a complete row, which needs no value of the next line.
_WHOLE = re.compile(r"(?:bits|Bytes)/sec")


class Line(NamedTuple):
    """Line of a text: its number from 1, its text, and True if its end is present."""

    number: int
    text: str
    whole: bool


def lines_of(text: str) -> Iterator[Line]:
    """Yield every line; a continued line has the number of its first line."""
    buffered: Line | None = None
    parts = 0
    for line in _lines(text):
        if buffered and parts < MAX_PARTS and _is_continued(buffered.text, line.text):
            first_part = buffered.text.rstrip().removesuffix(_CONTINUATION)
            buffered = Line(
                buffered.number, f"{first_part} {line.text.strip()}"[:MAX_LENGTH], line.whole
            )
            parts += 1
            continue
        if buffered:
            yield buffered
        buffered, parts = line, 0
    if buffered:
        yield buffered


def _lines(text: str) -> Iterator[Line]:
    *whole, last = text.split("\n")
    for number, line in enumerate(whole, 1):
        yield Line(number, line[:MAX_LENGTH], True)
    if last.strip():
        yield Line(len(whole) + 1, last[:MAX_LENGTH], False)


def _is_continued(line: str, following: str) -> bool:
    """Return True if the following line continues a row, a heading or a command."""
    if line.rstrip().endswith(_CONTINUATION):
        return "iperf" in line
    if not following or len(following) > 80 or "[" not in line:
        return False
    if _ROW.search(line):
        rest = _REST.match(following)
        return rest is not None and (rest["word"] is not None or not _WHOLE.search(line))
    return HEADING.search(line) is not None and _NAMES.match(following) is not None
