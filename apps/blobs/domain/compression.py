"""Compress to one zstd stream (RFC 8878) with a checksum, which `zstd -d` decompresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import IO, Protocol, cast

import zstandard

# A window of 2 MiB spans several of fio's status documents; zlib's 32 KiB span less than one.
# Small tables do not enlarge the output here, and a compressor takes 3 MB of memory instead of 11
# (docs/development/benchmarks.md, "Packing").
LEVEL, WINDOW_LOG, TABLE_LOG = 9, 21, 17
PIECE_BYTES = 1 << 20
"""Limit of a piece that `decompress` yields."""


class BlobDamaged(Exception):
    """Compressed bytes are missing, truncated or changed."""


class Compressor(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


def compressor(level: int = LEVEL) -> Compressor:
    """Return a compressor of one stream."""
    parameters = zstandard.ZstdCompressionParameters.from_level(
        level,
        window_log=WINDOW_LOG,
        hash_log=TABLE_LOG,
        chain_log=TABLE_LOG,
        write_checksum=True,
    )
    return zstandard.ZstdCompressor(compression_params=parameters).compressobj()


def compress(data: bytes, level: int = LEVEL) -> bytes:
    return zstandard.ZstdCompressor(level, write_checksum=True).compress(data)


def decompress(pieces: Iterable[bytes], size_bytes: int) -> Iterator[bytes]:
    """Yield the uncompressed bytes in pieces of at most PIECE_BYTES.

    Raises: BlobDamaged, at the end if the stream has another size than `size_bytes`.
    """
    reader = zstandard.ZstdDecompressor().stream_reader(cast(IO[bytes], _Reader(iter(pieces))))
    count = 0
    try:
        while piece := reader.read(PIECE_BYTES):
            count += len(piece)
            yield piece
    except zstandard.ZstdError as error:
        raise BlobDamaged(str(error)) from error
    if count != size_bytes:
        raise BlobDamaged(f"{count} bytes were decompressed, {size_bytes} were stored")


def join_pieces(pieces: Iterable[bytes]) -> bytes:
    """Return the pieces as one. A list of them would take their size twice."""
    buffer = BytesIO()
    buffer.writelines(pieces)
    return buffer.getvalue()


class _Reader:
    """Read an iterator of pieces as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._remainder, self._pieces = b"", pieces

    def read(self, size: int) -> bytes:
        data = self._remainder or next(self._pieces, b"")
        self._remainder = data[size:]
        return data[:size]
