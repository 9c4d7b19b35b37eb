"""Files out of archives, in memory and within bounds; nothing is ever written to a disk."""

from __future__ import annotations

import io
from collections.abc import Iterator

from django.utils.translation import gettext as _

from apps.tools.workbooks import is_workbook

from . import tars, zips
from .budget import ArchiveBudget, TooMuch
from .found import Found, FoundInArchive, LargeFile, LeftInArchive
from .inflate import BROKEN, Inflating, inflated

__all__ = [
    "ArchiveBudget",
    "Found",
    "FoundInArchive",
    "LargeFile",
    "LeftInArchive",
    "TooMuch",
    "archive_kind",
    "unpacked",
]

_PACKED = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\0": "xz"}
_OTHERS = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!\x1a\x07": "RAR",
    b"\x04\x22\x4d\x18": "lz4",
}
_ENDINGS = (".gz", ".bz2", ".xz", ".tgz", ".tbz2", ".txz")


def archive_kind(data: bytes) -> str:
    """ "zip", "tar", "gz", "bz2", "xz", or the name of one that is not opened here; "" for a plain
    file, and for a workbook, which is a zip inside. Told from the content.
    """
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "" if is_workbook(data) else "zip"
    for marks in (_PACKED, _OTHERS):
        for mark, kind in marks.items():
            if data.startswith(mark):
                return kind
    return "tar" if tars.is_tar(data[:512]) else ""


def unpacked(
    path: str, data: bytes, budget: ArchiveBudget
) -> Iterator[FoundInArchive | LeftInArchive]:
    """The files of an archive, one level deep. A damaged one ends with a sentence; raises TooMuch.

    An archive in an archive is left as it is: see `archive_kind`.
    """
    kind = archive_kind(data)
    try:
        if kind == "zip":
            yield from zips.members(path, data, budget)
        elif kind == "tar":
            yield from tars.members(path, data, "", budget)
        elif kind in _PACKED.values():
            yield from _packed(path, data, kind, budget)
        else:
            sentence = _("%(kind)s archives are not opened: send a zip or a tar.gz.")
            yield LeftInArchive(path, sentence % {"kind": kind})
    except (*zips.BROKEN, *tars.BROKEN):
        yield LeftInArchive(path, _("The archive is damaged: what could be read of it is listed."))


def _packed(
    path: str, data: bytes, kind: str, budget: ArchiveBudget
) -> Iterator[FoundInArchive | LeftInArchive]:
    """A packed tar, or one packed file that has its name without the ending."""
    try:
        head = io.BufferedReader(Inflating(kind, data, budget)).read(512)
    except BROKEN:
        head = b""
    if tars.is_tar(head):
        yield from tars.members(path, data, kind, budget)
        return
    budget.file()
    content = inflated(kind, data, budget)
    budget.spend(len(content))
    yield FoundInArchive(_without_ending(path), content, path)


def _without_ending(path: str) -> str:
    ending = next((end for end in _ENDINGS if path.lower().endswith(end)), "")
    return path[: len(path) - len(ending)] or path
