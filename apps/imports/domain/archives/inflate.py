"""Streams of gzip, bzip2 and xz that stop at the limits of an import."""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Callable
from typing import Any, Protocol

from django.utils.translation import gettext as _

from apps.imports.domain.archives.budget import ArchiveBudget, ImportTooLarge

PIECE = 256 * 1024
# First input of each stream. It is small because input after the end of a stream is copied.
FIRST_PIECE = 1024
# Block compressors write one stream per 64 KiB.
MAX_STREAMS = 100_000
XZ_MEMORY = 128 * 1024**2


class Decompressor(Protocol):
    """Common interface of bz2 and lzma; `_Gzip` adapts zlib."""

    eof: bool
    needs_input: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """Adapter of zlib's decompressor to the interface of bz2 and lzma."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)
        self._tail = b""

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        out = self._inner.decompress(self._tail + data, max(0, max_length))
        self._tail = self._inner.unconsumed_tail
        return out


MAKERS: dict[str, Callable[[], Any]] = {
    "gz": _Gzip,
    "bz2": bz2.BZ2Decompressor,
    "xz": lambda: lzma.LZMADecompressor(memlimit=XZ_MEMORY),
}
BROKEN = (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError)


class Inflating(io.RawIOBase):
    """Unpacked bytes of `data`, read in pieces.

    Raises: ImportTooLarge from `read`; EOFError for a missing end.
    """

    def __init__(self, kind: str, data: bytes, budget: ArchiveBudget) -> None:
        self._make, self._data, self._budget = MAKERS[kind], memoryview(data), budget
        self._inner: Decompressor = self._make()
        self._at = self._size = self._streams = 0
        self._feed = FIRST_PIECE

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._piece(len(buffer))
        buffer[: len(piece)] = piece
        self._size += len(piece)
        self._budget.check(self._size, self._at)
        return len(piece)

    def _piece(self, max_length: int) -> bytes:
        while True:
            if self._inner.eof and not self._another():
                return b""
            data = b""
            if self._inner.needs_input:
                data = bytes(self._data[self._at : self._at + self._feed])
                self._at += len(data)
                self._feed = min(2 * self._feed, PIECE)
            piece = self._inner.decompress(data, max_length)
            if piece:
                return piece
            if not data and not self._inner.eof and self._inner.needs_input:
                raise EOFError

    def _another(self) -> bool:
        """Start the next of several streams in one file; return False if none follows.

        Bytes that start no stream end the file.
        """
        self._at -= len(self._inner.unused_data)
        rest = bytes(self._data[self._at : self._at + 6])
        if not rest.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ")):
            self._data = self._data[: self._at]
            return False
        self._inner, self._feed = self._make(), FIRST_PIECE
        self._streams += 1
        if self._streams > MAX_STREAMS:
            raise ImportTooLarge(_("It is packed in too many pieces: pack it again in one."))
        return True
