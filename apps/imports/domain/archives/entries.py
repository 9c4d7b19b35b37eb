"""Files from a folder, an upload or an archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ArchiveEntry:
    """Name and bytes of one file. `archive`: the archive that contained it."""

    path: str
    data: bytes
    archive: str = ""


@dataclass(frozen=True)
class LargeFile:
    """File that is no archive and is never in memory as a whole.

    `pieces` returns its bytes from the start. For a file of an archive it works once, and `size` is
    the number of bytes read so far.
    """

    path: str
    size: int
    pieces: Callable[[], Iterable[bytes]]
    archive: str = ""


@dataclass(frozen=True)
class SkippedEntry:
    """Entry that is not imported, with the reason."""

    path: str
    sentence: str
    archive: str = ""


ReceivedEntry = ArchiveEntry | LargeFile | SkippedEntry
"""File as received."""
