"""Search terms: words of the search text with their synonyms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.common.domain.keys import parse_key
from apps.tools.param_values import format_size

_UNITS = "kmgt"
_SIZE = re.compile(rf"(\d{{1,9}})([{_UNITS}]?)(i?b)?", re.IGNORECASE)
_UNIT = re.compile(rf"[{_UNITS}]i?b", re.IGNORECASE)
_DEPTH = re.compile(r"qd=?(\d{1,5})", re.IGNORECASE)
_SYNONYMS: dict[str, tuple[str, ...]] = {
    "random": ("rand",),
    "sequential": ("seq",),
    "randread": ("random read",),
    "randwrite": ("random write",),
    "randrw": ("random read+write",),
    "randtrim": ("random trim",),
    "seqread": ("sequential read", "seq read"),
    "seqwrite": ("sequential write", "seq write"),
    "rw": ("read+write",),
    "readwrite": ("read+write",),
    "mixed": ("read+write", "randrw"),
    "reads": ("read",),
    "writes": ("write",),
    "trims": ("trim",),
    "顺序读": ("sequential read", "seq read"),
    "顺序写": ("sequential write", "seq write"),
    "随机读": ("random read", "randread"),
    "随机写": ("random write", "randwrite"),
    "顺序": ("sequential", "seq"),
    "随机": ("random", "rand"),
    "混合": ("read+write", "randrw"),
    "读": ("read",),
    "写": ("write",),
}


_NUMBER = re.compile(r"(?:(runs?|cases?) ?)?#?(\d{1,19})", re.IGNORECASE)


@dataclass(frozen=True)
class Term:
    """Word of the search text.

    `text`: the word as typed. `parts`: texts that match anywhere. `starts`: texts that match only
    at the beginning of a word, so that "4 KiB" does not match "64 KiB".
    """

    text: str
    parts: tuple[str, ...]
    starts: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        return (*self.parts, *self.starts)


def terms_of(words: Sequence[str]) -> list[Term]:
    """Return one term a word; a number and its unit ("4", "KiB") are one term."""
    terms: list[Term] = []
    left = list(words)
    while left:
        word = left.pop(0)
        if left and word.isascii() and word.isdigit() and _UNIT.fullmatch(left[0]):
            unit = left.pop(0)
            terms.append(Term(f"{word} {unit}", (), (*_sizes(word + unit), word + unit)))
        else:
            terms.append(Term(word, (word,), _synonyms(word)))
    return terms


def number_of(words: Sequence[str], kind: str) -> int | None:
    """Return the number of a row of `kind` that the words name: "case 5"; "run 5", "#5" and "5"."""
    match = _NUMBER.fullmatch(" ".join(words))
    if match is None:
        return None
    named = f"{(match[1] or 'runs').lower().removesuffix('s')}s"
    return (parse_key(match[2]) or None) if named == kind else None


def _synonyms(word: str) -> tuple[str, ...]:
    if depth := _DEPTH.fullmatch(word):
        return (f"QD {depth[1]}",)
    return _SYNONYMS.get(word.lower()) or _sizes(word)


def _sizes(word: str) -> tuple[str, ...]:
    """Return the other forms of a size: "4 KiB" and "4k" of "4kb"; none of a bare number."""
    match = _SIZE.fullmatch(word)
    if match is None or not (match[2] or match[3]):
        return ()
    unit = match[2].lower()
    size = int(match[1]) << 10 * (_UNITS.index(unit) + 1 if unit else 0)
    return format_size(size), f"{match[1]}{unit or 'b'}"
