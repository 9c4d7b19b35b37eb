"""Splitter of fio's JSON output into documents, one at a time, in linear time.

With --status-interval fio appends a document per interval. Warnings and errors may occur before,
between and inside documents, because fio prints them to the same stream. Its printer indents all
content by two spaces, so a document starts with `{` and ends with `}` in the first column (fio:
json.c). Reformatted JSON is split by its braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from apps.tools.text import clean
from apps.tools.values import Decoded

from .late_bins import load_document
from .repair import load, load_list, load_rest, repair, salvage

START = re.compile(rb"^[ \t]*\{", re.MULTILINE)
_LIST = re.compile(rb"^[ \t]*\[(?=\s*\{)", re.MULTILINE)
_BRACES = re.compile(rb'"(?:[^"\\\n]++|\\.)*+"|[{}]')
MAX_TEXT = 16 * 1024


@dataclass
class Documents:
    """State of the split: text around documents, and whether the last one is truncated."""

    outside: list[bytes] = field(default_factory=list)
    repaired: bool = False
    truncated: bool = False
    broken: int = 0
    _outside_bytes: int = 0
    _regular: bool = False
    _reformatted: bool = False
    _try_late_bins: bool = True

    def split(self, data: bytes) -> Iterator[Decoded]:
        """Yield every complete document, in order."""
        data = clean(data)
        position = 0
        if (document_list := _listed(data)) is not None:
            self.add_outside(data[: document_list[0]])
            yield from document_list[1]
            return
        while start := START.search(data, position):
            self.add_outside(data[position : start.start()])
            document, position = self._next(data, start.end() - 1)
            if document is not None:
                yield document
        self.add_outside(data[position:])

    def _next(self, data: bytes, begin: int) -> tuple[Decoded | None, int]:
        """Return the document at `begin` (or None) and the position to continue at."""
        if self._reformatted:
            return self._by_braces(data, begin)
        end = data.find(b"\n}", begin)
        document = self._printed(data, begin, end + 2) if end >= 0 else None
        if document is not None:
            self._regular = True
            return document, end + 2
        if not self._regular:
            # Only the first document decides how the file is split: trying both ways for every
            # broken document takes quadratic time.
            self._regular = True
            document, after = self._by_braces(data, begin)
            if document is not None:
                self._reformatted = True
                return document, after
        return self._damaged(data, begin, end)

    def _printed(self, data: bytes, begin: int, end: int) -> Decoded | None:
        """Parse the document between two positions, in fio's format."""
        if self._try_late_bins and data.find(b'"bins"', begin, end) >= 0:
            document = load_document(memoryview(data)[begin:end])
            if document is not None:
                return document
            # Not tried again: parsing every damaged document twice doubles the time.
            self._try_late_bins = False
        return load(data[begin:end])

    def _by_braces(self, data: bytes, begin: int) -> tuple[Decoded | None, int]:
        """Return the document whose braces balance; without one there is no further document."""
        if not self._reformatted and (rest := self._rest(data, begin)) is not None:
            return rest, len(data)
        end = _balanced_end(data, begin)
        if end is None:
            self.truncated = self._reformatted
            return None, len(data)
        document = load(data[begin:end])
        self.broken += self._reformatted and document is None
        return document, end

    def _rest(self, data: bytes, begin: int) -> Decoded | None:
        """Parse everything from `begin` on as one document."""
        document = load_document(memoryview(data)[begin:])
        return load_rest(data, begin) if document is None else document

    def _damaged(self, data: bytes, begin: int, end: int) -> tuple[Decoded | None, int]:
        """Return a document with foreign text inside, or the part of a truncated one.

        It may be truncated at the end of the data or before the next document.
        """
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

    def add_outside(self, text: bytes) -> None:
        """Store text around documents, up to MAX_TEXT bytes."""
        text = text.strip()[: MAX_TEXT - self._outside_bytes]
        if text:
            self.outside.append(text)
            self._outside_bytes += len(text)


def _listed(data: bytes) -> tuple[int, list[Decoded]] | None:
    """Return the position of a list before the first document, and its documents.

    The list may be a single line.
    """
    first = START.search(data)
    begin = _LIST.search(data, 0, first.end() if first else len(data))
    documents = load_list(data, begin.end() - 1) if begin else None
    return None if begin is None or documents is None else (begin.start(), documents)


def _balanced_end(data: bytes, begin: int) -> int | None:
    """Return the position after the brace that closes the one at `begin`, or None."""
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
