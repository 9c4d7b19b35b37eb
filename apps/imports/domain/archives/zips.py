"""Zip archives, read file by file."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Iterator

from django.utils.translation import gettext as _

from apps.imports.domain.archives.archived import ArchivedFile
from apps.imports.domain.archives.budget import ArchiveBudget, too_many
from apps.imports.domain.archives.entries import ReceivedEntry, SkippedEntry
from apps.imports.domain.archives.names import is_junk, safe_path, shown
from apps.imports.domain.limits import MAX_FILES, MAX_PATH_LENGTH

# End of central directory record: APPNOTE.TXT 6.3.10, section 4.3.16.
_END = b"PK\x05\x06"
# Signature of a directory entry: section 4.3.12.
_ENTRY_MARK = b"PK\x01\x02"
_END_SIZE = 22
_MAX_COMMENT_LENGTH = 65_535
_ENTRY = 46 + 3 * MAX_PATH_LENGTH
_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def members(name: str, data: bytes, budget: ArchiveBudget) -> Iterator[ReceivedEntry]:
    """Yield every regular file of a zip.

    Raises: ImportTooLarge; one of BROKEN for a damaged archive.
    """
    _check_directory(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            if info.is_dir() or is_junk(info.filename):
                continue
            budget.file()
            path = safe_path(info.filename)
            parse_error = _skip_reason(info, path)
            if parse_error or path is None:
                yield SkippedEntry(shown(info.filename), parse_error, name)
            else:
                with archive.open(info) as stream:
                    file = ArchivedFile(stream, budget, packed=info.compress_size)
                    yield file.entry(path, name)
                    file.check()


def _check_directory(data: bytes) -> None:
    """Check the length of the list of files, which zipfile reads as a whole.

    Raises: ImportTooLarge; EOFError if the list is missing.
    """
    offset = data.rfind(_END, max(0, len(data) - _END_SIZE - _MAX_COMMENT_LENGTH))
    if offset < 0 or offset + _END_SIZE > len(data):
        raise EOFError
    entries, size = struct.unpack_from("<HL", data, offset + 10)
    # 65,535 and 4 GiB - 1 mean "see the zip64 record". zipfile uses such a record whatever these
    # fields contain, so entries are counted as well. The limit is doubled because uncompressed
    # archives inside have entries of their own.
    many = data.count(_ENTRY_MARK) > 2 * MAX_FILES
    if many or entries > MAX_FILES or size > MAX_FILES * _ENTRY:
        raise too_many()


def _skip_reason(info: zipfile.ZipInfo, path: str | None) -> str:
    """Return the reason to skip a file; "" if there is none."""
    mode = info.external_attr >> 16
    if path is None:
        return _("Its name leads out of the archive, or is too long: left out.")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return _("It is a link or a device, no file: left out.")
    if info.flag_bits & 1:
        return _("It is encrypted: left out.")
    if info.compress_type not in _KNOWN:
        return _("It is packed in a way that is not known here: left out.")
    return ""
