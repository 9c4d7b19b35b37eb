"""Tar archives, also packed ones, read from the front as a stream."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from typing import IO, cast

from django.utils.translation import gettext as _

from apps.imports.domain.archives.archived import ArchivedFile
from apps.imports.domain.archives.budget import ArchiveBudget, too_many
from apps.imports.domain.archives.found import Found, SkippedEntry
from apps.imports.domain.archives.inflate import Inflating
from apps.imports.domain.archives.names import is_junk, safe_path, shown
from apps.imports.domain.limits import MOST_FILES

_PIECE = 256 * 1024
# Folders and what operating systems leave are no files, but each takes its time and memory.
MOST_MEMBERS = 5 * MOST_FILES


def members(name: str, data: bytes, kind: str, budget: ArchiveBudget) -> Iterator[Found]:
    """Every regular file of a tar; `kind` is "" or how it is packed. Raises TooMuch, and one of
    BROKEN.
    """
    # The stream counts too: holes in sparse files and headers of headers are bytes as well.
    stream = Inflating(kind, data, _stream_budget(budget)) if kind else io.BytesIO(data)
    longest = (2 * budget.most if kind else len(data)) + tarfile.RECORDSIZE
    with tarfile.open(fileobj=cast(IO[bytes], stream), mode="r|", bufsize=_PIECE) as archive:
        for number, member in enumerate(archive):
            if number > MOST_MEMBERS:
                raise too_many()
            if archive.offset > longest:
                raise EOFError  # it says that it is larger than it is; tarfile would read on
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
                yield file.found(path, name)
                file.check()


def _stream_budget(budget: ArchiveBudget) -> ArchiveBudget:
    """Headers and padding come on top of the files: twice the bytes are enough for both."""
    return ArchiveBudget(2 * budget.most)
