"""fio's JSON output -> its documents, in linear time and one at a time.

With --status-interval fio appends a document per interval; warnings and errors may stand before,
between and even inside them (fio prints them to the same stream). Its printer indents everything by
two spaces, so a document starts with `{` and ends with `}` in the first column (fio: json.c). JSON
that somebody reformatted is found by its braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson

from apps.tools.text import clean

_START = re.compile(rb"^[ \t]*\{", re.MULTILINE)
_BRACES = re.compile(rb'"(?:[^"\\\n]++|\\.)*+"|[{}]')
_NOT_A_NUMBER = re.compile(
    rb'("\s*:\s*)[-+]?(?:nan|inf(?:inity)?|\d{25,}|\d[\d.]{0,400}e\+?\d{3,})'
    rb"(?:\([^)\n]{0,32}\)|[\d.e+-]*)(?=\s*[,}\]])",
    re.IGNORECASE,
)
_FOREIGN_LINE = re.compile(rb"^[^\s{}\]][^\n]*\n", re.MULTILINE)
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f]")
_TRAILING_COMMA = re.compile(rb",(\s*[}\]])")
MAX_TEXT = 16 * 1024


@dataclass
class Documents:
    """What was found while iterating: text around the documents, and whether the last one is cut
    off."""

    outside: list[bytes] = field(default_factory=list)
    repaired: bool = False
    truncated: bool = False
    broken: int = 0
    _kept: int = 0
    _regular: bool = False
    _reformatted: bool = False

    def split(self, data: bytes) -> Iterator[dict[str, Any]]:
        """Every complete document, in order."""
        data = clean(data)
        position = 0
        while start := _START.search(data, position):
            self._keep(data[position : start.start()])
            document, position = self._next(data, start.end() - 1)
            if document is not None:
                yield document
        self._keep(data[position:])

    def _next(self, data: bytes, begin: int) -> tuple[dict[str, Any] | None, int]:
        """The document at `begin` (or None) and where to go on."""
        if self._reformatted:
            return self._by_braces(data, begin)
        end = data.find(b"\n}", begin)
        document = load(data[begin : end + 2]) if end >= 0 else None
        if document is not None:
            self._regular = True
            return document, end + 2
        if not self._regular:
            # Only the first document decides which way the whole file is read: trying both ways
            # for every broken document would take quadratic time.
            self._regular = True
            document, after = self._by_braces(data, begin)
            if document is not None:
                self._reformatted = True
                return document, after
        return self._damaged(data, begin, end)

    def _by_braces(self, data: bytes, begin: int) -> tuple[dict[str, Any] | None, int]:
        """The document whose braces balance; if none do, there is no further one."""
        end = _balanced_end(data, begin)
        if end is None:
            self.truncated = self._reformatted
            return None, len(data)
        document = load(data[begin:end])
        self.broken += self._reformatted and document is None
        return document, end

    def _damaged(self, data: bytes, begin: int, end: int) -> tuple[dict[str, Any] | None, int]:
        """Foreign text inside a document, or one that was cut off: at the end or before the next
        began."""
        restart = data.find(b"\n{", begin, end) if end >= 0 else -1
        if restart >= 0:
            self.broken += 1
            return None, restart
        if end < 0:
            self.truncated = True
            return salvage(data[begin:]), len(data)
        document = load(repair(data[begin : end + 2]))
        self.repaired = self.repaired or document is not None
        self.broken += document is None
        return document, end + 2

    def _keep(self, text: bytes) -> None:
        text = text.strip()[: MAX_TEXT - self._kept]
        if text:
            self.outside.append(text)
            self._kept += len(text)


def load(text: bytes) -> dict[str, Any] | None:
    """One JSON object, or None; `nan` and `inf`, which fio prints where it divides by zero, become
    null."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        quieter = _NOT_A_NUMBER.sub(rb"\1null", text)
        if quieter == text:
            return None
        try:
            value = orjson.loads(quieter)
        except orjson.JSONDecodeError:
            return None
    return value if isinstance(value, dict) else None


def repair(text: bytes) -> bytes:
    """A document without what fio never writes inside one: foreign lines, control characters,
    invalid UTF-8, and the trailing commas that are left where somebody shortened it by hand."""
    valid = text.decode("utf-8", "replace").encode()
    return _TRAILING_COMMA.sub(rb"\1", _CONTROL.sub(b"", _FOREIGN_LINE.sub(b"", valid)))


def salvage(text: bytes) -> dict[str, Any] | None:
    """The part of a cut-off document up to the last direction of a job that was written out in
    full."""
    complete = text.rfind(b"\n      }")
    return None if complete < 0 else load(text[: complete + 8] + b"}]}")


def _balanced_end(data: bytes, begin: int) -> int | None:
    """Where the brace that opens at `begin` is closed; None if it never is."""
    depth = 0
    for token in _BRACES.finditer(data, begin):
        sign = token[0]
        if sign == b"{":
            depth += 1
        elif sign == b"}":
            depth -= 1
            if depth == 0:
                return token.end()
    return None
