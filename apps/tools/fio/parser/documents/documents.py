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
    """Documents found while iterating: text around them, and whether the last one is cut off."""

    outside: list[bytes] = field(default_factory=list)
    repaired: bool = False
    truncated: bool = False
    broken: int = 0
    _kept: int = 0
    _regular: bool = False
    _reformatted: bool = False
    _untouched: bool = True

    def split(self, data: bytes) -> Iterator[Decoded]:
        """Every complete document, in order."""
        data = clean(data)
        position = 0
        if (listed := _listed(data)) is not None:
            self.keep(data[: listed[0]])
            yield from listed[1]
            return
        while start := START.search(data, position):
            self.keep(data[position : start.start()])
            document, position = self._next(data, start.end() - 1)
            if document is not None:
                yield document
        self.keep(data[position:])

    def _next(self, data: bytes, begin: int) -> tuple[Decoded | None, int]:
        """The document at `begin` (or None) and where to go on."""
        if self._reformatted:
            return self._by_braces(data, begin)
        end = data.find(b"\n}", begin)
        document = self._printed(data, begin, end + 2) if end >= 0 else None
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

    def _printed(self, data: bytes, begin: int, end: int) -> Decoded | None:
        """The document between two places, which fio printed."""
        if self._untouched and data.find(b'"bins"', begin, end) >= 0:
            document = load_document(memoryview(data)[begin:end])
            if document is not None:
                return document
            # Once is enough: reading every damaged document twice takes twice as long.
            self._untouched = False
        return load(data[begin:end])

    def _by_braces(self, data: bytes, begin: int) -> tuple[Decoded | None, int]:
        """The document whose braces balance; if none do, there is no further one."""
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
        """The one document that everything from `begin` on is."""
        document = load_document(memoryview(data)[begin:])
        return load_rest(data, begin) if document is None else document

    def _damaged(self, data: bytes, begin: int, end: int) -> tuple[Decoded | None, int]:
        """Foreign text inside a document, or one that was cut off: at the end or before the next
        began.
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

    def keep(self, text: bytes) -> None:
        """Take text that stands around documents, as much of it as there is room for."""
        text = text.strip()[: MAX_TEXT - self._kept]
        if text:
            self.outside.append(text)
            self._kept += len(text)


def _listed(data: bytes) -> tuple[int, list[Decoded]] | None:
    """Return the place of a list that begins before the first document, and the documents in it,
    perhaps all in one line.
    """
    first = START.search(data)
    begin = _LIST.search(data, 0, first.end() if first else len(data))
    found = load_list(data, begin.end() - 1) if begin else None
    return None if begin is None or found is None else (begin.start(), found)


def _balanced_end(data: bytes, begin: int) -> int | None:
    """The place where the brace that opens at `begin` is closed; None if it never is."""
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
