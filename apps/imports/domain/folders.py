"""Files and folders of this machine, for `manage.py import`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.utils.translation import gettext as _

from apps.blobs.domain.compression import PIECE_BYTES
from apps.imports.domain.archives import (
    ArchiveEntry,
    LargeFile,
    ReceivedEntry,
    SkippedEntry,
    archive_kind,
)
from apps.imports.domain.archives.names import is_junk, safe_path, shown
from apps.imports.domain.limits import WHOLE
from apps.tools.workloads.order import name_key


def walked(names: Iterable[Path], most: int) -> Iterator[ReceivedEntry]:
    """Yield every regular file, those of folders ordered by path.

    `most`: limit of one file in bytes. Symbolic links are not followed.
    Raises: OSError for a missing file.
    """
    for name in names:
        if name.is_dir():
            yield from _folder(name, most)
        else:
            yield _file(name, name.name, most)


def _folder(top: Path, most: int) -> Iterator[ReceivedEntry]:
    for folder, folders, names in os.walk(top):
        folders.sort(key=name_key)
        for name in sorted(names, key=name_key):
            file = Path(folder, name)
            path = file.relative_to(top.parent if top.name else top).as_posix()
            if not is_junk(file.relative_to(top).as_posix()):
                yield _file(file, path, most)


def _file(file: Path, name: str, most: int) -> ReceivedEntry:
    path = safe_path(name)
    if path is None:
        return SkippedEntry(shown(name), _("Its path is too long: left out."))
    if file.is_symlink() or not file.is_file():
        file.lstat()
        return SkippedEntry(path, _("It is a link or a device, no file: left out."))
    size = file.stat().st_size
    if size > most:
        text = _("It is larger than %(most)d MiB: left out.")
        return SkippedEntry(path, text % {"most": most // 1024**2})
    try:
        if size > WHOLE and not archive_kind(next(_pieces(file), b"")):
            return LargeFile(path, size, lambda: _pieces(file))
        return ArchiveEntry(path, file.read_bytes())
    except PermissionError:
        return SkippedEntry(path, _("It cannot be read: left out."))


def _pieces(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while piece := opened.read(PIECE_BYTES):
            yield piece
