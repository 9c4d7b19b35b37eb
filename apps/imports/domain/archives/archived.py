"""One file of an archive: its bytes are read once and counted."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import IO

from apps.imports.domain.archives.budget import ArchiveBudget
from apps.imports.domain.archives.entries import ArchiveEntry, LargeFile
from apps.imports.domain.archives.inflate import BROKEN as PACKING_BROKEN
from apps.imports.domain.archives.inflate import PIECE
from apps.imports.domain.archives.kinds import archive_kind
from apps.imports.domain.limits import WHOLE

BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, RecursionError, NotImplementedError),
    *PACKING_BROKEN,
)
"""Errors of a damaged archive of any kind."""


class CutFile(Exception):
    """Damage found in a large file while it was received.

    Its archive reports the damage in the next step of the iteration.
    """


class ArchivedFile:
    """File of an archive, read from `stream`.

    `size`: bytes as stated by the archive; `packed`: compressed bytes; None if not stated.
    """

    def __init__(
        self,
        stream: IO[bytes],
        budget: ArchiveBudget,
        *,
        size: int | None = None,
        packed: int | None = None,
    ) -> None:
        self._stream, self._budget = stream, budget
        self._stated_size, self._packed = size, packed
        self._size = 0
        self._ended = False

    def entry(self, path: str, archive: str) -> ArchiveEntry | LargeFile:
        """Return the file; above WHOLE bytes as pieces.

        Consume the pieces before the archive continues.
        Raises: ImportTooLarge; one of BROKEN.
        """
        read: list[bytes] = []
        pieces = self._pieces()
        for piece in pieces:
            read.append(piece)
            if self._size > WHOLE and not archive_kind(read[0]):
                rest = partial(chain, read, _with_cut_error(pieces))
                return LargeFile(path, self._size, rest, archive)
        return ArchiveEntry(path, b"".join(read), archive)

    def check(self) -> None:
        """Raise EOFError if the file was not read to its end."""
        if not self._ended:
            raise EOFError

    def _pieces(self) -> Iterator[bytes]:
        while piece := self._stream.read(PIECE):
            self._size += len(piece)
            self._budget.check(self._size, self._packed)
            yield piece
        if self._stated_size not in (None, self._size):
            raise EOFError
        self._budget.spend(self._size)
        self._ended = True


def _with_cut_error(pieces: Iterable[bytes]) -> Iterator[bytes]:
    try:
        yield from pieces
    except BROKEN as error:
        raise CutFile from error
