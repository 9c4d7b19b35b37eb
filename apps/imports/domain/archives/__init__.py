"""Unpack archives in memory, within limits; no file is written to disk."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import IO, cast

from django.utils.translation import gettext as _

from apps.imports.domain.archives import tars, zips
from apps.imports.domain.archives.archived import BROKEN, ArchivedFile, CutFile
from apps.imports.domain.archives.budget import ArchiveBudget, ImportTooLarge
from apps.imports.domain.archives.entries import (
    ArchiveEntry,
    LargeFile,
    ReceivedEntry,
    SkippedEntry,
)
from apps.imports.domain.archives.inflate import BROKEN as PACKING_BROKEN
from apps.imports.domain.archives.inflate import Inflating
from apps.imports.domain.archives.kinds import PACKED, archive_kind, is_tar

__all__ = [
    "ArchiveBudget",
    "ArchiveEntry",
    "CutFile",
    "ImportTooLarge",
    "LargeFile",
    "ReceivedEntry",
    "SkippedEntry",
    "archive_kind",
    "unpacked",
]

_ENDINGS = (".gz", ".bz2", ".xz", ".tgz", ".tbz2", ".txz")


def unpacked(path: str, data: bytes, budget: ArchiveBudget) -> Iterator[ReceivedEntry]:
    """Yield the files of an archive, one level deep.

    Consume a LargeFile before requesting the next file. A damaged archive ends with a SkippedEntry.
    Archives in archives are not opened (see `archive_kind`).
    Raises: ImportTooLarge.
    """
    kind = archive_kind(data)
    try:
        if kind == "zip":
            yield from zips.members(path, data, budget)
        elif kind == "tar":
            yield from tars.members(path, data, "", budget)
        elif kind in PACKED.values():
            yield from _packed(path, data, kind, budget)
        else:
            sentence = _("%(kind)s archives are not opened: send a zip or a tar.gz.")
            yield SkippedEntry(path, sentence % {"kind": kind})
    except BROKEN:
        yield SkippedEntry(path, _("The archive is damaged: what could be read of it is listed."))


def _packed(path: str, data: bytes, kind: str, budget: ArchiveBudget) -> Iterator[ReceivedEntry]:
    """Yield the files of a compressed tar, or one compressed file without its suffix."""
    try:
        head = io.BufferedReader(Inflating(kind, data, budget)).read(512)
    except PACKING_BROKEN:
        head = b""
    if is_tar(head):
        yield from tars.members(path, data, kind, budget)
        return
    budget.file()
    member = ArchivedFile(cast(IO[bytes], Inflating(kind, data, budget)), budget)
    yield member.entry(_without_ending(path), path)
    member.check()


def _without_ending(path: str) -> str:
    ending = next((end for end in _ENDINGS if path.lower().endswith(end)), "")
    return path[: len(path) - len(ending)] or path
