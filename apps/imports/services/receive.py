"""Receive files: open archives and store all bytes; nothing is parsed yet."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction

from apps.accounts.services import audit_record
from apps.blobs.domain.compression import compress, compressor
from apps.common.database.copying import rows_copy
from apps.imports.domain.archives import (
    ArchiveBudget,
    ArchiveEntry,
    CutFile,
    LargeFile,
    ReceivedEntry,
    SkippedEntry,
    archive_kind,
    unpacked,
)
from apps.imports.domain.limits import PACKING
from apps.imports.models import FileState, Import, ImportFile
from apps.tools.messages import message

BATCH_FILES = 200
BATCH_BYTES = 16 * 1024**2


@dataclass(frozen=True)
class UnopenedArchive:
    """Archive that cannot be opened, or not to its end; stored as it is."""

    data: bytes
    reason: SkippedEntry


@transaction.atomic
def import_receive(
    *,
    imported: Import,
    files: Iterable[ReceivedEntry],
    budget: ArchiveBudget,
) -> int:
    """Store these files under a new import; return their number.

    `files` may be an iterator: memory holds at most one batch.
    Raises: ImportTooLarge above the limits; nothing is stored then.
    """
    imported.full_clean()
    imported.save()
    batch: list[ImportFile] = []
    batch_bytes = number = 0
    for result in _opened(files, budget):
        try:
            batch.append(_row(imported, number + 1, result))
        except CutFile:
            continue
        number += 1
        batch_bytes += batch[-1].size
        if len(batch) >= BATCH_FILES or batch_bytes >= BATCH_BYTES:
            _save(batch)
            batch, batch_bytes = [], 0
    _save(batch)
    audit_record(user=imported.owner, action="import", subject=imported, files=number)
    return number


def _save(rows: Sequence[ImportFile]) -> None:
    """Store new files. INSERT takes twice the memory of COPY for a large one."""
    names = [field.attname for field in ImportFile._meta.concrete_fields if not field.primary_key]
    rows_copy(ImportFile, names, ([getattr(row, name) for name in names] for row in rows))


def _opened(
    files: Iterable[ReceivedEntry], budget: ArchiveBudget
) -> Iterator[ReceivedEntry | UnopenedArchive]:
    """Yield the same files, with each archive replaced by its files."""
    for result in files:
        if isinstance(result, SkippedEntry):
            budget.file()
            yield result
        elif isinstance(result, LargeFile):
            budget.file()
            budget.check(result.size)
            budget.spend(result.size)
            yield result
        elif archive_kind(result.data):
            for member in unpacked(result.path, result.data, budget):
                if isinstance(member, SkippedEntry) and member.path == result.path:
                    yield UnopenedArchive(result.data, member)
                else:
                    yield member
        else:
            budget.file()
            budget.check(len(result.data))
            budget.spend(len(result.data))
            yield result


def _row(imported: Import, number: int, result: ReceivedEntry | UnopenedArchive) -> ImportFile:
    entry = result.reason if isinstance(result, UnopenedArchive) else result
    row = ImportFile(batch=imported, number=number, path=entry.path, archive=entry.archive)
    if isinstance(entry, SkippedEntry):
        row.state, row.parse_error, row.selected = FileState.SKIPPED, entry.sentence, False
    if isinstance(result, SkippedEntry):
        return row
    if isinstance(result, LargeFile):
        row.size, row.sha256, row.content = _packed(result)
        return row
    row.size, row.sha256 = len(result.data), hashlib.sha256(result.data).hexdigest()
    row.content = compress(result.data, PACKING)
    if isinstance(result, ArchiveEntry) and result.archive and archive_kind(result.data):
        row.state, row.selected = FileState.FAILED, False
        row.parse_error = message("An archive in an archive is not opened: import it on its own.")
    return row


def _packed(result: LargeFile) -> tuple[int, str, bytes]:
    """Return size, SHA-256 and compressed bytes of a file that is read in pieces."""
    digest, packer, packed, size = hashlib.sha256(), compressor(PACKING), [], 0
    for piece in result.pieces():
        size += len(piece)
        digest.update(piece)
        packed.append(packer.compress(piece))
    packed.append(packer.flush())
    return size, digest.hexdigest(), b"".join(packed)
