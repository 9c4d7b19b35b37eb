"""Encodings of packed bytes: zstd for what comes now; older ones stay readable for ever.

An encoding's name is stored with what it packed, and one that was ever used is never removed here.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from typing import IO, Protocol, cast

import zstandard

from apps.runs.storage.differences import Broken, text_of

ZLIB, ZSTD = "zlib", "zstd"
# Of what repeats itself: the differences of its lines, in zstd (apps.runs.storage.differences).
ZDIFF = "zdiff"
NEW = ZSTD
# Of zstd: a window of 2 MiB reaches over several of fio's status documents, where zlib's 32 KiB do
# not reach over one. Small tables cost nothing in size here, and a packer takes 3 MB, not 11
# (docs/development/benchmarks.md, "Packing").
LEVEL, WINDOW_LOG, TABLE_LOG = 9, 21, 17
# What is unpacked at a time, and packed bytes read for it.
PIECE = 1 << 20
_ZSTD_MAGIC = zstandard.FRAME_HEADER


class Damaged(Exception):
    """Packed bytes that are not what was packed: cut, or changed."""


class Compressor(Protocol):
    """Packs one stream."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


def compressor(level: int = LEVEL) -> Compressor:
    """A packer for the encoding NEW."""
    parameters = zstandard.ZstdCompressionParameters.from_level(
        level,
        window_log=WINDOW_LOG,
        hash_log=TABLE_LOG,
        chain_log=TABLE_LOG,
        write_checksum=True,
    )
    return zstandard.ZstdCompressor(compression_params=parameters).compressobj()


def compressed(data: bytes, level: int = LEVEL) -> bytes:
    """These bytes, in the encoding NEW."""
    return zstandard.ZstdCompressor(level, write_checksum=True).compress(data)


def encoding_of(packed: bytes) -> str:
    """The encoding of packed bytes by how they begin."""
    return ZSTD if packed.startswith(_ZSTD_MAGIC) else ZLIB


def unpacked(pieces: Iterable[bytes], size: int, encoding: str = "") -> Iterator[bytes]:
    """The `size` bytes themselves, PIECE of them at a time however well they were packed; without
    an encoding their beginning tells which it is. Raises Damaged, at the end where they are fewer.
    """
    rest = iter(pieces)
    first = next(rest, b"")
    given = 0
    try:
        for piece in _UNPACKERS[encoding or encoding_of(first)](_Source(first, rest)):
            given += len(piece)
            yield piece
    except (zlib.error, zstandard.ZstdError, Broken) as error:
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

    def __init__(self, first: bytes, rest: Iterator[bytes]) -> None:
        self._left, self._rest = first, rest

    def read(self, size: int) -> bytes:
        """At most `size` bytes, none at the end."""
        data = self._left or next(self._rest, b"")
        self._left = data[size:]
        return data[:size]


def _zlib(source: _Source) -> Iterator[bytes]:
    stream = zlib.decompressobj()
    while left := source.read(PIECE):
        while left:
            yield stream.decompress(left, PIECE)
            left = stream.unconsumed_tail
    while rest := stream.decompress(b"", PIECE):
        yield rest
    if not stream.eof:
        raise zlib.error("the packed bytes end early")


def _zstd(source: _Source) -> Iterator[bytes]:
    reader = zstandard.ZstdDecompressor().stream_reader(cast(IO[bytes], source))
    while piece := reader.read(PIECE):
        yield piece


def _zdiff(source: _Source) -> Iterator[bytes]:
    return text_of(zstandard.ZstdDecompressor().stream_reader(cast(IO[bytes], source)).read)


_UNPACKERS: Mapping[str, Callable[[_Source], Iterator[bytes]]] = {
    ZLIB: _zlib,
    ZSTD: _zstd,
    ZDIFF: _zdiff,
}
