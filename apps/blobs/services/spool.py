"""Compress files that arrive from a host without holding them in memory.

Compressed bytes wait in an unnamed file below BENCHLAB_HOME. A worker that dies leaves nothing
behind; the host keeps its files until they are stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from threading import Lock
from types import TracebackType

from django.conf import settings

from apps.blobs.domain.compression import Compressor, compress, compressor, decompress
from apps.blobs.schemas import CompressedContent

MEMORY_BYTES = 1 << 20
"""Of one spool; more go to the disk."""
PIECE_BYTES = 1 << 20
SMALL_FILE_BYTES = 64 << 10
"""Files up to here need no compressor of their own while they arrive: a job has many of them."""
MAX_COMPRESSED_BYTES = 384 << 20
"""Of one file. PostgreSQL's limit is 1 GiB, and pg_dump writes a byte as two characters."""


class CompressedTooLarge(Exception):
    """A file has more than MAX_COMPRESSED_BYTES."""


class SpoolFile(AbstractContextManager["SpoolFile"]):
    """Temporary file of compressed bytes; thread-safe. Raises: OSError if the disk is full."""

    def __init__(self) -> None:
        settings.HOME.mkdir(parents=True, exist_ok=True)
        self._file: SpooledTemporaryFile[bytes] = SpooledTemporaryFile(  # noqa: SIM115 # closed by __exit__
            max_size=MEMORY_BYTES, dir=str(settings.HOME)
        )
        self._lock = Lock()
        self._end = 0

    def append(self, data: bytes) -> tuple[int, int]:
        """Store the data; return the offsets of its begin and end."""
        with self._lock:
            begin = self._end
            self._file.seek(begin)
            self._file.write(data)
            self._end = begin + len(data)
            return begin, self._end

    def read(self, begin: int, end: int) -> bytes:
        with self._lock:
            self._file.seek(begin)
            data: bytes = self._file.read(end - begin)
            return data

    def clear(self) -> None:
        with self._lock:
            self._file.truncate(0)
            self._end = 0

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


@dataclass(frozen=True)
class CompressedFile:
    """A complete file in a spool; `size_bytes` and `sha256` are of the uncompressed bytes."""

    size_bytes: int
    sha256: str
    compressed_bytes: int
    spool: SpoolFile
    spans: tuple[tuple[int, int], ...]

    def pieces(self) -> Iterator[bytes]:
        """Yield the compressed bytes in pieces of at most PIECE_BYTES."""
        for span_begin, span_end in self.spans:
            for begin in range(span_begin, span_end, PIECE_BYTES):
                yield self.spool.read(begin, min(begin + PIECE_BYTES, span_end))

    def decompress(self) -> Iterator[bytes]:
        return decompress(self.pieces(), self.size_bytes)

    def as_content(self) -> CompressedContent:
        return CompressedContent(self.sha256, self.size_bytes, self.compressed_bytes, self.pieces)


class FileCompressor:
    """Compress one file into a spool while its bytes arrive."""

    def __init__(self, spool: SpoolFile) -> None:
        self._spool = spool
        self._small = b""
        self._compressor: Compressor | None = None
        self._hash = hashlib.sha256()
        self._spans: list[tuple[int, int]] = []
        self.size_bytes = self._compressed_bytes = 0

    def write(self, data: bytes) -> None:
        """Append the next bytes. Raises: CompressedTooLarge, OSError."""
        self._hash.update(data)
        self.size_bytes += len(data)
        if self._compressor is None and self.size_bytes <= SMALL_FILE_BYTES:
            self._small += data
            return
        self._compressor = self._compressor or compressor()
        self._append(self._compressor.compress(self._small + data))
        self._small = b""

    def finish(self) -> CompressedFile:
        """Return the complete file. Raises: CompressedTooLarge, OSError."""
        self._append(self._compressor.flush() if self._compressor else compress(self._small))
        digest = self._hash.hexdigest()
        spans = tuple(self._spans)
        return CompressedFile(self.size_bytes, digest, self._compressed_bytes, self._spool, spans)

    def _append(self, data: bytes) -> None:
        self._compressed_bytes += len(data)
        if self._compressed_bytes > MAX_COMPRESSED_BYTES:
            raise CompressedTooLarge(f"takes more than {MAX_COMPRESSED_BYTES >> 20} MiB compressed")
        if not data:
            return
        begin, end = self._spool.append(data)
        if self._spans and self._spans[-1][1] == begin:
            begin = self._spans.pop()[0]
        self._spans.append((begin, end))


def compress_into(spool: SpoolFile, data: bytes) -> CompressedFile:
    file = FileCompressor(spool)
    file.write(data)
    return file.finish()


def concatenate(files: Iterable[CompressedFile], spool: SpoolFile) -> CompressedFile:
    """Return the files' contents as one file. Raises: CompressedTooLarge, OSError."""
    target = FileCompressor(spool)
    for file in files:
        for piece in file.decompress():
            target.write(piece)
    return target.finish()
