"""Blocks of whole lines from a log's text, whole or in arbitrary chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from apps.tools.errors import OutputError

LogText = bytes | Iterable[bytes]
BLOCK = 512 * 1024  # arrays of a block fit the CPU cache
HEAD = 256 * 1024
MAX_LINE_BYTES = 4 << 20
"""Limits the memory for a text in chunks, whose lines may have no end."""


class Blocks:
    """Blocks that end with a newline, at most BLOCK bytes unless a line is longer.

    `head`: the beginning of the text, at least HEAD bytes if it is that long. `cut`: True after the
    iteration if an unfinished last line was dropped.
    """

    def __init__(self, text: LogText) -> None:
        self._pieces = iter([text] if isinstance(text, bytes) else text)
        self.head = self._beginning()
        self.cut = False

    def _beginning(self) -> bytes:
        head = next(self._pieces, b"")
        while len(head) < HEAD and (piece := next(self._pieces, b"")):
            head += piece
        return head

    def __iter__(self) -> Iterator[bytes]:
        """Yield each block once.

        Raises: OutputError for a line that is too long for a log.
        """
        rest = b""
        for piece in chain([self.head], self._pieces):
            if len(rest) > MAX_LINE_BYTES:
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
