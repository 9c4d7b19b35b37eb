"""Tunings suggested by names of files and folders, and by headings in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Examples: a file rados--write_before_tuning.txt, a folder "after".
_WHEN = re.compile(r"(?:^|[^a-z])(before|after)(?![a-z])", re.IGNORECASE)
_CHANGES = (
    r"(?:tun(?:e|ed|ing)|optimi[sz](?:e|ed|ing|ation)s?|chang(?:es?|ed|ing)|upgrad(?:es?|ed|ing)"
    r"|updat(?:es?|ed|ing)|switch(?:ed|ing)?|setting|enabl(?:ed|ing)|disabl(?:ed|ing)|fix(?:es)?)"
)
_PLAIN = re.compile(
    rf"(?:(?:results?|tests?|performance|measured)[\W_]+){{0,2}}(before|after)"
    rf"(?:[\W_]+(?:the[\W_]+)?{_CHANGES}(?:[\W_]+(?:tests?|results?))?)?",
    re.IGNORECASE,
)
# Matches "After upgrade to 5.10", but not "Before running the test".
_BEGINS = re.compile(rf"(before|after)(?![\W_]+(?!{_CHANGES}\b)\w+ing\b)\b", re.IGNORECASE)
_PRE_POST = re.compile(rf"(?<![a-z])(pre|post)[- ]?{_CHANGES}", re.IGNORECASE)
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})*[.)、]?\s+")
_MARKS = " \t*_=~#>|:：-+\"'`()[]"
# "优化前测试" is a heading of a test before tuning; "优化前后" covers both and is ignored.
_CHINESE = re.compile("(?:优化|調優|调优|優化|调整|調整)之?(前|后|後)(?![前后後])")
_UNTUNED = re.compile("未(?:做|经过?)?(?:优化|調優|调优|優化|调整|調整)")
_ANY = re.compile("before|after|pre|post|优化|優化|调优|調優|调整|調整", re.IGNORECASE)
_SENTENCE = re.compile("[.,;!?，。；！？]$")
_PUNCTUATION = re.compile("[，。；！？]")
_MARKDOWN = re.compile(r" {0,3}(#{1,6})\s+(\S.*)")
_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_UNDERLINE = re.compile(r" {0,3}(?:={3,}|-{3,})\s*")
MAX_HEADING_LENGTH = 80
MAX_WORDS_LENGTH = 60
MAX_CHINESE_LENGTH = 20
_NOT_MARKED = 0


def proposed_tuning(path: str) -> str:
    """Return the tuning that a path names, "before" or "after"; "" if none or both.

    The last folder or file name with one of the words decides.
    """
    for part in reversed(path.split("/")):
        if _WHEN.search(part):
            return _only(_WHEN.findall(part))
    return ""


@dataclass(frozen=True)
class Heading:
    """Line that begins a part of a text.

    `level`: number of `#` in Markdown, else 0. `tuning`: the tuning that it names, "" if none.
    """

    line: int
    level: int
    tuning: str


def headings_of(text: str) -> tuple[Heading, ...]:
    """Return the headings of a text from the first that names a tuning; () if none does."""
    if not _ANY.search(text):
        return ()
    headings = list(_headings(text.split("\n")))
    first = next((i for i, each in enumerate(headings) if each.tuning), len(headings))
    return tuple(headings[first:])


def tuning_at(headings: Sequence[Heading], line: int) -> str:
    """Return the tuning suggested by the headings above a line; "" if none.

    A heading applies up to the next one that names a tuning, or to a Markdown heading of the same
    or a higher level.
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
    for index, line in enumerate(lines):
        if _FENCE.match(line):
            in_fence = not in_fence
        elif len(line) <= MAX_HEADING_LENGTH and not in_fence:
            heading = _heading(lines, index)
            if heading is not None:
                yield heading


def _heading(lines: Sequence[str], index: int) -> Heading | None:
    """Return the heading in a line; None for any other line."""
    line = lines[index]
    if marked := _MARKDOWN.match(line):
        return Heading(index + 1, len(marked[1]), _in_heading(marked[2]) or _in_line(marked[2]))
    following = lines[index + 1] if index + 1 < len(lines) else ""
    is_underlined = bool(_UNDERLINE.fullmatch(following))
    is_apart = index == 0 or not lines[index - 1].strip()
    tuning = (_in_heading(line) if is_underlined else "") or _in_line(line, is_apart=is_apart)
    return Heading(index + 1, _NOT_MARKED, tuning) if tuning else None


def _in_heading(text: str) -> str:
    return _only(_WHEN.findall(text)) or _pre_or_post(text) or _chinese(text)


def _in_line(line: str, *, is_apart: bool = False) -> str:
    """Return the tuning named by a line that reads like a heading.

    `is_apart`: the line follows a blank line.
    """
    text = _NUMBERED.sub("", line.strip(_MARKS), count=1).strip(_MARKS)
    if whole := _PLAIN.fullmatch(text):
        return whole[1].lower()
    if len(text) <= MAX_WORDS_LENGTH and not _SENTENCE.search(line.rstrip()):
        begins = _BEGINS.match(text)
        has_colon = line.rstrip(" \t*_").endswith((":", "："))
        if begins and "," not in text and (has_colon or is_apart):
            return _only(_WHEN.findall(text))
        if tuning := _pre_or_post(text) if has_colon or is_apart else "":
            return tuning
    is_short = len(line.strip()) <= MAX_CHINESE_LENGTH and not _PUNCTUATION.search(line)
    return _chinese(line) if is_short else ""


def _pre_or_post(text: str) -> str:
    tunings = [word.lower() for word in _PRE_POST.findall(text)]
    return _only(["before" if word == "pre" else "after" for word in tunings])


def _chinese(text: str) -> str:
    tunings = ["before" if word == "前" else "after" for word in _CHINESE.findall(text)]
    return _only(tunings + ["before"] * len(_UNTUNED.findall(text)))


def _only(names: Sequence[str]) -> str:
    distinct = {word.lower() for word in names}
    return distinct.pop() if len(distinct) == 1 else ""
