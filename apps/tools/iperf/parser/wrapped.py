"""The lines of a text; rows and headings that a mailer wrapped, and commands, are one line each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .marks import HEADING

LONGEST = 1_000
MOST_PARTS = 10
# A shell's command goes on in the next line.
_GOES_ON = "\\"
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
# A row that lacks nothing needs no figure of the next line.
_WHOLE = re.compile(r"(?:bits|Bytes)/sec")


class Line(NamedTuple):
    """A line of a text: its number from 1, and whether its end is there."""

    number: int
    text: str
    whole: bool


def lines_of(text: str) -> Iterator[Line]:
    """Every line; what goes on in the next one is joined under the number of its first line."""
    held: Line | None = None
    parts = 0
    for line in _lines(text):
        if held and parts < MOST_PARTS and _goes_on(held.text, line.text):
            begun = held.text.rstrip().removesuffix(_GOES_ON)
            held = Line(held.number, f"{begun} {line.text.strip()}"[:LONGEST], line.whole)
            parts += 1
            continue
        if held:
            yield held
        held, parts = line, 0
    if held:
        yield held


def _lines(text: str) -> Iterator[Line]:
    *whole, last = text.split("\n")
    for number, line in enumerate(whole, 1):
        yield Line(number, line[:LONGEST], True)
    if last.strip():
        yield Line(len(whole) + 1, last[:LONGEST], False)


def _goes_on(line: str, following: str) -> bool:
    """Whether the end of a row or heading stands in the following line."""
    if line.rstrip().endswith(_GOES_ON):
        return "iperf" in line
    if not following or len(following) > 80 or "[" not in line:
        return False
    if _ROW.search(line):
        rest = _REST.match(following)
        return rest is not None and (rest["word"] is not None or not _WHOLE.search(line))
    return HEADING.search(line) is not None and _NAMES.match(following) is not None
