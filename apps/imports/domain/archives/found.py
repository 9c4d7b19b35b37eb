"""Files that come out of a folder, an upload or an archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ArchiveEntry:
    """One file's name and bytes. `archive` names the archive it was in."""

    path: str
    data: bytes
    archive: str = ""


@dataclass(frozen=True)
class LargeFile:
    """A file that is no archive, and that is never in memory as a whole. `pieces` gives its bytes
    from the first one on; of a member of an archive once, and `size` is what is known of it then.
    """

    path: str
    size: int
    pieces: Callable[[], Iterable[bytes]]
    archive: str = ""


@dataclass(frozen=True)
class SkippedEntry:
    """Something that is not taken, and why."""

    path: str
    sentence: str
    archive: str = ""


Found = ArchiveEntry | LargeFile | SkippedEntry
"""A file as it comes in."""
