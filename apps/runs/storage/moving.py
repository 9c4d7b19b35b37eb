"""Blobs from one store to another: one at a time, each proved by its hash, so it may be stopped at
any moment and goes on where it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction

from apps.runs.models import Blob, BlobStore
from apps.runs.storage.blobs import files_hold, files_remove_unknown
from apps.runs.storage.encodings import Damaged
from apps.runs.storage.naming import stored_name
from apps.runs.storage.stores import blob_pieces, store_of

BATCH = 200


@dataclass(frozen=True)
class MovedBlob:
    """A blob on its way: `problem` says why it stays where it is."""

    blob: Blob
    problem: str = ""


def blobs_move(*, target: str) -> Iterator[MovedBlob]:
    """Take every blob of the other stores into this one."""
    waiting = Blob.objects.exclude(store=target).order_by("pk")
    after = 0
    while some := list(waiting.filter(pk__gt=after)[:BATCH]):
        moved = [_move(blob.pk, target) for blob in some]
        for source in {blob.store for blob in some} - {BlobStore.POSTGRESQL}:
            files_remove_unknown(source, [blob.sha256 for blob in some if blob.store == source])
        yield from (each for each in moved if each)
        after = some[-1].pk


@transaction.atomic
def _move(pk: int, target: str) -> MovedBlob | None:
    """One blob; None where it is gone or moved already. Whoever reads it meanwhile finds it."""
    blob = Blob.objects.select_for_update().exclude(store=target).filter(pk=pk).first()
    if blob is None:
        return None
    if target != BlobStore.POSTGRESQL:
        files_hold()
    name = stored_name(blob.sha256)
    try:
        blob_check(blob)
        with store_of(blob.store).open(name) as file:
            store_of(target).save(name, file)
        source, blob.store = blob.store, target
        blob_check(blob)
    except (Damaged, OSError) as error:
        transaction.set_rollback(True)
        return MovedBlob(blob, str(error))
    blob.save(update_fields=["store"])
    if source == BlobStore.POSTGRESQL:
        store_of(source).delete(name)
    return MovedBlob(blob)


def blob_check(blob: Blob) -> None:
    """Read a blob to its end. Raises Damaged where it is not what its hash says."""
    digest = hashlib.sha256()
    for piece in blob_pieces(blob):
        digest.update(piece)
    if digest.hexdigest() != blob.sha256:
        raise Damaged("its bytes have another SHA-256 than was stored")
