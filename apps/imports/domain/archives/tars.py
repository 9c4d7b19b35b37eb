"""Tar archives, also compressed, read as a stream."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from typing import IO, cast

from django.utils.translation import gettext as _

from apps.imports.domain.archives.archived import ArchivedFile
from apps.imports.domain.archives.budget import ArchiveBudget, too_many
from apps.imports.domain.archives.entries import ReceivedEntry, SkippedEntry
from apps.imports.domain.archives.inflate import Inflating
from apps.imports.domain.archives.names import is_junk, safe_path, shown
from apps.imports.domain.limits import MAX_FILES

_PIECE = 256 * 1024
# Folders and junk do not count as files, but each costs time and memory.
MAX_MEMBERS = 5 * MAX_FILES


def members(name: str, data: bytes, kind: str, budget: ArchiveBudget) -> Iterator[ReceivedEntry]:
    """Yield every regular file of a tar. `kind`: its compression or "".

    Raises: ImportTooLarge; one of BROKEN.
    """
    # The stream is limited too: holes in sparse files and nested headers also cost bytes.
    stream = Inflating(kind, data, _stream_budget(budget)) if kind else io.BytesIO(data)
    longest = (2 * budget.most if kind else len(data)) + tarfile.RECORDSIZE
    with tarfile.open(fileobj=cast(IO[bytes], stream), mode="r|", bufsize=_PIECE) as archive:
        for number, member in enumerate(archive):
            if number > MAX_MEMBERS:
                raise too_many()
            if archive.offset > longest:
                raise EOFError  # the stated size exceeds the data; tarfile would read on
            if member.isdir() or is_junk(member.name):
                continue
            budget.file()
            path = safe_path(member.name)
            if path is None:
                sentence = _("Its name leads out of the archive, or is too long: left out.")
                yield SkippedEntry(shown(member.name), sentence, name)
            elif not member.isreg() or member.issparse():
                yield SkippedEntry(path, _("It is a link or a device, no file: left out."), name)
            else:
                stream_of = archive.extractfile(member) or io.BytesIO()
                file = ArchivedFile(stream_of, budget, size=member.size)
                yield file.entry(path, name)
                file.check()


def _stream_budget(budget: ArchiveBudget) -> ArchiveBudget:
    """Return twice the budget, enough for files, headers and padding."""
    return ArchiveBudget(2 * budget.most)
