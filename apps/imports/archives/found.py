"""Files that come out of a folder, an upload or an archive."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FoundInArchive:
    """One file's name and bytes. `archive` names the archive it was in."""

    path: str
    data: bytes
    archive: str = ""


@dataclass(frozen=True)
class LeftInArchive:
    """Something that is not taken, and why."""

    path: str
    sentence: str
    archive: str = ""
