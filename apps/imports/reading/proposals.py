"""Tunings of results, proposed from the names of files and folders and from headings in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# The team's own files are called rados--write_before_tuning.txt; folders are called "after".
_WHEN = re.compile(r"(?:^|[^a-z])(before|after)(?![a-z])", re.IGNORECASE)
_CHANGE = r"(?:tun(?:e|ed|ing)|optimi[sz](?:e|ed|ing|ation)s?|changes?|upgrade|update)"
_PLAIN = re.compile(
    rf"[\W_]*(?:(?:results?|tests?|performance|measured)[\W_]+){{0,2}}(before|after)"
    rf"(?:[\W_]+(?:the[\W_]+)?{_CHANGE}(?:[\W_]+(?:tests?|results?))?)?[\W_]*",
    re.IGNORECASE,
)
# "优化前测试" is a heading of a test before the tuning; "优化前后" is one of both.
_CHINESE = re.compile("(?:优化|調優|调优|優化|调整|調整)之?(前|后|後)(?![前后後])")
_ANY = re.compile("before|after|优化|優化|调优|調優|调整|調整", re.IGNORECASE)
_PUNCTUATION = re.compile("[，。；！？]")
_MARKDOWN = re.compile(r" {0,3}(#{1,6})\s+(\S.*)")
_FENCE = re.compile(r" {0,3}(?:```|~~~)")
LONGEST_HEADING = 80
LONGEST_CHINESE = 20
_NOT_MARKED = 0


def proposed_tuning(path: str) -> str:
    """ "before" or "after", where exactly one of them is in the path; the last folder or file name
    that says one wins. "" where nothing says.
    """
    for part in reversed(path.split("/")):
        if _WHEN.search(part):
            return _only(_WHEN.findall(part))
    return ""


@dataclass(frozen=True)
class Heading:
    """A line that begins a part of a text. `level`: the number of its `#`, 0 without any. `tuning`:
    the tuning that it names, "" where it names none.
    """

    line: int
    level: int
    tuning: str


def headings_of(text: str) -> tuple[Heading, ...]:
    """The headings of a text, from its first one that names a tuning; none where no line does."""
    if not _ANY.search(text):
        return ()
    found = list(_headings(text.split("\n")))
    first = next((i for i, each in enumerate(found) if each.tuning), len(found))
    return tuple(found[first:])


def tuning_at(headings: Sequence[Heading], line: int) -> str:
    """The tuning that the headings above a line propose. A heading counts up to the next one that
    names a tuning, or one of Markdown that is not below it.
    """
    current = Heading(0, _NOT_MARKED, "")
    for heading in headings:
        if heading.line >= line:
            break
        ends = current.level and heading.level and heading.level <= current.level
        if heading.tuning or ends:
            current = heading
    return current.tuning


def _headings(lines: Sequence[str]) -> Iterator[Heading]:
    in_fence = False
    for number, line in enumerate(lines, 1):
        if _FENCE.match(line):
            in_fence = not in_fence
        elif len(line) <= LONGEST_HEADING and not in_fence:
            marked = _MARKDOWN.match(line)
            if marked:
                words = marked[2]
                yield Heading(number, len(marked[1]), _in_heading(words) or _in_line(words))
            elif tuning := _in_line(line):
                yield Heading(number, _NOT_MARKED, tuning)


def _in_heading(words: str) -> str:
    return _only(_WHEN.findall(words)) or _chinese(words)


def _in_line(line: str) -> str:
    """The tuning of a line that says nothing else."""
    if whole := _PLAIN.fullmatch(line):
        return whole[1].lower()
    is_short = len(line.strip()) <= LONGEST_CHINESE and not _PUNCTUATION.search(line)
    return _chinese(line) if is_short else ""


def _chinese(words: str) -> str:
    return _only(["before" if word == "前" else "after" for word in _CHINESE.findall(words)])


def _only(words: Sequence[str]) -> str:
    named = {word.lower() for word in words}
    return named.pop() if len(named) == 1 else ""
