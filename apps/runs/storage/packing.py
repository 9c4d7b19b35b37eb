"""Files on their way from a host into the database: packed as they come, never whole in memory.

Packed bytes wait in a file without a name below BENCHLAB_HOME, so nothing is left of them when the
worker dies: the host keeps its files until they are stored.
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

from apps.runs.storage.encodings import Compressor, compressed, compressor, unpacked

# Bytes of one spool that stay in memory, and of what is handed on at a time.
IN_MEMORY = 1 << 20
PIECE = 1 << 20
# A file up to here is packed at once when it is whole: a job has many small ones open.
SMALL = 64 << 10
# Packed bytes of one file. PostgreSQL takes 1 GiB, of which pg_dump's text has room for half.
MOST_PACKED = 384 << 20


class TooLarge(Exception):
    """A file has more packed bytes than are kept of one."""


class Spool(AbstractContextManager["Spool"]):
    """A file in which packed bytes wait; may be written from several threads. Raises OSError when
    the disk is full.
    """

    def __init__(self) -> None:
        settings.HOME.mkdir(parents=True, exist_ok=True)
        self._file: SpooledTemporaryFile[bytes] = SpooledTemporaryFile(  # noqa: SIM115 # closed when the spool is left
            max_size=IN_MEMORY, dir=str(settings.HOME)
        )
        self._lock = Lock()
        self._end = 0

    def append(self, data: bytes) -> tuple[int, int]:
        """Keep the data; begin and end of where it is from now on."""
        with self._lock:
            begin = self._end
            self._file.seek(begin)
            self._file.write(data)
            self._end = begin + len(data)
            return begin, self._end

    def read(self, begin: int, end: int) -> bytes:
        """Bytes that were appended."""
        with self._lock:
            self._file.seek(begin)
            data: bytes = self._file.read(end - begin)
            return data

    def clear(self) -> None:
        """Give the room back."""
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
class Packed:
    """A whole file: `size` and `sha256` are those of its own bytes, `packed` how many bytes
    stand for them in its spool."""

    size: int
    sha256: str
    packed: int
    spool: Spool
    spans: tuple[tuple[int, int], ...]

    def pieces(self) -> Iterator[bytes]:
        """The packed bytes, as PIECE at most."""
        for span_begin, span_end in self.spans:
            for begin in range(span_begin, span_end, PIECE):
                yield self.spool.read(begin, min(begin + PIECE, span_end))

    def unpacked(self) -> Iterator[bytes]:
        """Its own bytes, as PIECE at most."""
        return unpacked(self.pieces(), self.size)


class Packing:
    """One file being packed into a spool."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._small = b""
        self._packer: Compressor | None = None
        self._hash = hashlib.sha256()
        self._spans: list[tuple[int, int]] = []
        self.size = self._packed = 0

    def take(self, data: bytes) -> None:
        """The next bytes. Raises TooLarge, OSError."""
        self._hash.update(data)
        self.size += len(data)
        if self._packer is None and self.size <= SMALL:
            self._small += data
            return
        self._packer = self._packer or compressor()
        self._keep(self._packer.compress(self._small + data))
        self._small = b""

    def done(self) -> Packed:
        """The file, when all of it was taken."""
        self._keep(self._packer.flush() if self._packer else compressed(self._small))
        digest = self._hash.hexdigest()
        return Packed(self.size, digest, self._packed, self._spool, tuple(self._spans))

    def _keep(self, packed: bytes) -> None:
        self._packed += len(packed)
        if self._packed > MOST_PACKED:
            raise TooLarge(f"takes more than {MOST_PACKED >> 20} MiB when packed")
        if not packed:
            return
        begin, end = self._spool.append(packed)
        if self._spans and self._spans[-1][1] == begin:
            begin = self._spans.pop()[0]
        self._spans.append((begin, end))


def packed(spool: Spool, data: bytes) -> Packed:
    """These bytes as a file."""
    packing = Packing(spool)
    packing.take(data)
    return packing.done()


def joined(files: Iterable[Packed], spool: Spool) -> Packed:
    """Files one after the other as one. Raises TooLarge, OSError."""
    packing = Packing(spool)
    for file in files:
        for piece in file.unpacked():
            packing.take(piece)
    return packing.done()
