"""A log's text, whole or in pieces cut anywhere, as blocks of whole lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from apps.tools.errors import OutputError

LogText = bytes | Iterable[bytes]
BLOCK = 512 * 1024  # what is made of a block stays in the cache
HEAD = 256 * 1024
LONGEST_LINE = 4 << 20
"""Of a text in pieces: one without an end would be held whole after all."""


class Blocks:
    """Blocks that end with a newline, each BLOCK bytes at most unless a line is longer. `head`: how
    the text begins, HEAD bytes at least where it has as many. `cut`: whether a last line without
    its end was left out, once all blocks were taken.
    """

    def __init__(self, text: LogText) -> None:
        self._pieces = iter([text] if isinstance(text, bytes) else text)
        self.head = self._beginning()
        self.cut = False

    def _beginning(self) -> bytes:
        found = next(self._pieces, b"")
        while len(found) < HEAD and (piece := next(self._pieces, b"")):
            found += piece
        return found

    def __iter__(self) -> Iterator[bytes]:
        """Each block once. Raises OutputError for a line that is too long to be a log's."""
        rest = b""
        for piece in chain([self.head], self._pieces):
            if len(rest) > LONGEST_LINE:
                raise OutputError("This is no log of fio: a line of it does not end.")
            text = rest + piece if rest else piece
            yield from _whole_lines(text)
            rest = text[text.rfind(b"\n") + 1 :]
        self.cut = bool(rest)


def _whole_lines(text: bytes) -> Iterator[bytes]:
    begin, last = 0, text.rfind(b"\n") + 1
    while begin < last:
        end = text.rfind(b"\n", begin, begin + BLOCK) + 1 or text.find(b"\n", begin) + 1
        yield text[begin:end]
        begin = end
