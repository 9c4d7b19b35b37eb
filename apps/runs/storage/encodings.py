"""Packed bytes: one zstd stream with a checksum, which `zstd -d` unpacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import IO, Protocol, cast

import zstandard

# A window of 2 MiB reaches over several of fio's status documents, where zlib's 32 KiB do
# not reach over one. Small tables cost nothing in size here, and a packer takes 3 MB, not 11
# (docs/development/benchmarks.md, "Packing").
LEVEL, WINDOW_LOG, TABLE_LOG = 9, 21, 17
# What is unpacked at a time, and packed bytes read for it.
PIECE = 1 << 20


class Damaged(Exception):
    """Packed bytes that are not what was packed: cut, or changed."""


class Compressor(Protocol):
    """Packs one stream."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


def compressor(level: int = LEVEL) -> Compressor:
    """A packer of one stream."""
    parameters = zstandard.ZstdCompressionParameters.from_level(
        level,
        window_log=WINDOW_LOG,
        hash_log=TABLE_LOG,
        chain_log=TABLE_LOG,
        write_checksum=True,
    )
    return zstandard.ZstdCompressor(compression_params=parameters).compressobj()


def compressed(data: bytes, level: int = LEVEL) -> bytes:
    """These bytes, packed."""
    return zstandard.ZstdCompressor(level, write_checksum=True).compress(data)


def unpacked(pieces: Iterable[bytes], size: int) -> Iterator[bytes]:
    """The `size` bytes themselves, PIECE of them at a time however well they were packed. Raises
    Damaged, at the end where they are fewer.
    """
    reader = zstandard.ZstdDecompressor().stream_reader(cast(IO[bytes], _Source(iter(pieces))))
    given = 0
    try:
        while piece := reader.read(PIECE):
            given += len(piece)
            yield piece
    except zstandard.ZstdError as error:
        raise Damaged(str(error)) from error
    if given != size:
        raise Damaged(f"{given} bytes were unpacked where {size} were packed")


def whole(pieces: Iterable[bytes]) -> bytes:
    """All pieces as one text. Each is given up when it is in there: joined as a list they would
    take their size twice.
    """
    buffer = BytesIO()
    buffer.writelines(pieces)
    return buffer.getvalue()


class _Source:
    """Pieces, read as from a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._left, self._rest = b"", pieces

    def read(self, size: int) -> bytes:
        """At most `size` bytes, none at the end."""
        data = self._left or next(self._rest, b"")
        self._left = data[size:]
        return data[:size]
