"""Files of a form, sent by a browser or a script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.core.files.uploadedfile import UploadedFile
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

PASTED = "pasted.txt"


def pasted(text: str) -> Iterator[ArchiveEntry]:
    """Yield text entered in the page as a file; nothing if it is blank.

    Browsers send CRLF at line ends.
    """
    if text.strip():
        yield ArchiveEntry(PASTED, text.replace("\r\n", "\n").encode("utf-8", "replace"))


def uploaded(files: Sequence[UploadedFile[bytes]], paths: Sequence[str]) -> Iterator[ReceivedEntry]:
    """Yield the files of a form.

    `paths`: the path of each file below its folder, as browsers send no folders; a file without one
    has its own name.
    """
    for number, file in enumerate(files):
        name = paths[number] if number < len(paths) and paths[number] else str(file.name or "")
        path = safe_path(name)
        if path is None:
            yield SkippedEntry(
                shown(name), _("Its name leads elsewhere, or is too long: left out.")
            )
        elif not is_junk(path):
            yield _received(path, file)
        file.close()


def _received(path: str, file: UploadedFile[bytes]) -> ReceivedEntry:
    """Return an uploaded file; a large one is read from its temporary file."""
    size = file.size or 0
    if size > WHOLE and not archive_kind(next(iter(file.chunks(PIECE_BYTES)), b"")):
        return LargeFile(path, size, lambda: file.chunks(PIECE_BYTES))
    file.seek(0)
    return ArchiveEntry(path, file.read())
