"""Move blobs between storages, one at a time and verified by hash, so it may be interrupted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction

from apps.blobs.domain.compression import BlobDamaged
from apps.blobs.domain.names import storage_name
from apps.blobs.models import Blob, BlobStore
from apps.blobs.selectors import blob_pieces, storage_for
from apps.blobs.services.blobs import files_lock_shared, unknown_files_delete

BATCH_SIZE = 200


@dataclass(frozen=True)
class BlobMove:
    """The result for one blob; `error` says why it stays in its storage."""

    blob: Blob
    error: str = ""


def blobs_move(*, target: str) -> Iterator[BlobMove]:
    """Move every blob of other storages into `target`."""
    waiting = Blob.objects.exclude(store=target).order_by("pk")
    after = 0
    while batch := list(waiting.filter(pk__gt=after)[:BATCH_SIZE]):
        moves = [_move(blob.pk, target) for blob in batch]
        for source in {blob.store for blob in batch} - {BlobStore.POSTGRESQL}:
            unknown_files_delete(source, [blob.sha256 for blob in batch if blob.store == source])
        yield from (move for move in moves if move)
        after = batch[-1].pk


@transaction.atomic
def _move(pk: int, target: str) -> BlobMove | None:
    """Move one blob; return None if it is deleted or moved already.

    Readers see the old storage until the commit, and its file is deleted afterwards.
    """
    blob = Blob.objects.select_for_update().exclude(store=target).filter(pk=pk).first()
    if blob is None:
        return None
    if target != BlobStore.POSTGRESQL:
        files_lock_shared()
    name = storage_name(blob.sha256)
    try:
        blob_verify(blob)
        with storage_for(blob.store).open(name) as file:
            storage_for(target).save(name, file)
        source, blob.store = blob.store, target
        blob_verify(blob)
    except (BlobDamaged, OSError) as error:
        transaction.set_rollback(True)
        return BlobMove(blob, str(error))
    blob.save(update_fields=["store"])
    if source == BlobStore.POSTGRESQL:
        storage_for(source).delete(name)
    return BlobMove(blob)


def blob_verify(blob: Blob) -> None:
    """Read a blob and compare its hash. Raises: BlobDamaged, OSError."""
    digest = hashlib.sha256()
    for piece in blob_pieces(blob):
        digest.update(piece)
    if digest.hexdigest() != blob.sha256:
        raise BlobDamaged("its bytes have another SHA-256 than was stored")
