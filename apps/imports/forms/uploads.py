"""Parts of a form that a browser or a script sends -> files with paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from apps.blobs.domain.compression import PIECE_BYTES
from apps.imports.domain.archives import (
    ArchiveEntry,
    Found,
    LargeFile,
    SkippedEntry,
    archive_kind,
)
from apps.imports.domain.archives.names import is_junk, safe_path, shown
from apps.imports.domain.limits import WHOLE

PASTED = "pasted.txt"


def pasted(text: str) -> Iterator[ArchiveEntry]:
    """Text that was typed or pasted into the page, as a file; nothing where it is blank. Browsers
    end lines as Windows does.
    """
    if text.strip():
        yield ArchiveEntry(PASTED, text.replace("\r\n", "\n").encode("utf-8", "replace"))


def uploaded(files: Sequence[UploadedFile[bytes]], paths: Sequence[str]) -> Iterator[Found]:
    """The files of a form. `paths`: as many as files, what each is called below the folder it came
    from; none, and a file has its own name (browsers send no folders).
    """
    for number, file in enumerate(files):
        name = paths[number] if number < len(paths) and paths[number] else str(file.name or "")
        path = safe_path(name)
        if path is None:
            yield SkippedEntry(
                shown(name), _("Its name leads elsewhere, or is too long: left out.")
            )
        elif not is_junk(path):
            yield _found(path, file)
        file.close()


def _found(path: str, file: UploadedFile[bytes]) -> Found:
    """Large files were written to a disk as they came, and are read from there."""
    size = file.size or 0
    if size > WHOLE and not archive_kind(next(iter(file.chunks(PIECE_BYTES)), b"")):
        return LargeFile(path, size, lambda: file.chunks(PIECE_BYTES))
    file.seek(0)
    return ArchiveEntry(path, file.read())
