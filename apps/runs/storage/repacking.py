"""Blobs that lie in PostgreSQL, packed again: texts that repeat themselves as differences, where
that is smaller. It takes a tenth of a second of CPU for each MB, so nobody but a person starts it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from apps.runs.models import Blob, BlobContent, BlobStore
from apps.runs.storage.artifacts import blob_pieces
from apps.runs.storage.differences import differences
from apps.runs.storage.encodings import ZDIFF, Damaged, compressor, unpacked

# Smaller texts repeat little; what larger ones say is kept by line while they are packed.
LEAST, MOST = 64 << 10, 64 << 20
# The share of the bytes that has to go, for the time that reading them takes.
WORTH = 0.1
BATCH = 200


@dataclass(frozen=True)
class Repacked:
    """A blob that was looked at, and the bytes that became free; `problem` says why it stays as it
    is.
    """

    blob: Blob
    freed: int = 0
    problem: str = ""


def blobs_to_repack(since: datetime | None = None) -> QuerySet[Blob]:
    """Blobs that may become smaller; those that are newer than a moment."""
    rows = Blob.objects.filter(store=BlobStore.POSTGRESQL, size__range=(LEAST, MOST))
    rows = rows.exclude(encoding=ZDIFF).order_by("pk")
    return rows.filter(created_at__gte=since) if since else rows


def blobs_repack(since: datetime | None = None) -> Iterator[Repacked]:
    """Pack each of them anew where that is worth it, proved by its hash before anything is
    replaced. May be stopped at any moment.
    """
    after = 0
    while some := list(blobs_to_repack(since).filter(pk__gt=after)[:BATCH]):
        yield from map(_repack, some)
        after = some[-1].pk


def _repack(blob: Blob) -> Repacked:
    try:
        smaller = _as_differences(blob)
    except Damaged as error:
        return Repacked(blob, problem=str(error))
    if len(smaller) > (1 - WORTH) * blob.packed:
        return Repacked(blob)
    if _digest(smaller, blob.size) != blob.sha256:
        return Repacked(blob, problem="its differences are not its bytes")
    return Repacked(blob, freed=_replace(blob, smaller))


def _as_differences(blob: Blob) -> bytes:
    packer = compressor()
    packed = [packer.compress(piece) for piece in differences(blob_pieces(blob))]
    return b"".join([*packed, packer.flush()])


def _digest(packed: bytes, size: int) -> str:
    digest = hashlib.sha256()
    for piece in unpacked([packed], size, ZDIFF):
        digest.update(piece)
    return digest.hexdigest()


@transaction.atomic
def _replace(blob: Blob, packed: bytes) -> int:
    """Put these bytes in the place of the blob's; the bytes that become free, none where somebody
    moved or removed it meanwhile.
    """
    same = Blob.objects.filter(pk=blob.pk, store=blob.store, encoding=blob.encoding)
    if not same.select_for_update(no_key=True).exists():
        return 0
    BlobContent.objects.filter(pk=blob.pk).update(content=packed)
    same.update(encoding=ZDIFF, packed=len(packed))
    return blob.packed - len(packed)
