"""Store and delete blobs: one row for each content.

The row is inserted first, then the bytes are stored; on deletion the bytes go after the commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from tempfile import SpooledTemporaryFile

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import Storage
from django.db import connection, transaction
from django.utils import timezone

from apps.blobs.domain.names import storage_name
from apps.blobs.models import Blob, BlobStore
from apps.blobs.schemas import CompressedContent
from apps.blobs.selectors import (
    blobs_unreferenced,
    external_stores,
    storage_for,
    stored_sha256s,
)

BATCH_SIZE = 500
MEMORY_BYTES = 4 << 20
"""Of one blob while it is stored; more go to a temporary file."""
# Writers of files share this advisory lock until their rows are committed; the deletion of files
# without a row takes it alone.
_FILES_LOCK = "benchlab: files of blobs"
_INSERT = """
    INSERT INTO blobs_blob (sha256, size_bytes, compressed_bytes, store, created_at)
    SELECT *, %s, %s FROM unnest(%s::text[], %s::bigint[], %s::bigint[])
    ON CONFLICT (sha256) DO NOTHING RETURNING sha256"""
_LOCK_SHARED = "SELECT * FROM blobs_blob WHERE sha256 = ANY(%s) FOR KEY SHARE"


def blobs_ensure(contents: Iterable[CompressedContent]) -> dict[str, Blob]:
    """Return a blob for each content by SHA-256, and store the bytes of new ones.

    The rows are locked against deletion until the transaction ends. Raises: OSError.
    """
    wanted = {content.sha256: content for content in contents}
    if wanted and settings.ARTIFACT_STORE != BlobStore.POSTGRESQL:
        files_lock_shared()
    blobs: dict[str, Blob] = {}
    # Repeated if a blob is deleted between the two statements.
    while missing := sorted(wanted.keys() - blobs.keys()):
        new = _insert([wanted[sha256] for sha256 in missing])
        rows = {blob.sha256: blob for blob in Blob.objects.raw(_LOCK_SHARED, [missing])}
        for sha256 in sorted(new):
            _store(storage_for(settings.ARTIFACT_STORE), wanted[sha256])
        blobs |= rows
    return blobs


def _insert(contents: Sequence[CompressedContent]) -> set[str]:
    """Insert missing rows; return their SHA-256."""
    rows = [(each.sha256, each.size_bytes, each.compressed_bytes) for each in contents]
    with connection.cursor() as cursor:
        columns = [list(column) for column in zip(*rows, strict=True)]
        cursor.execute(_INSERT, [settings.ARTIFACT_STORE, timezone.now(), *columns])
        return {sha256 for (sha256,) in cursor.fetchall()}


def _store(storage: Storage, content: CompressedContent) -> None:
    with SpooledTemporaryFile(max_size=MEMORY_BYTES) as file:
        file.writelines(content.pieces())
        file.seek(0)
        storage.save(storage_name(content.sha256), File(file))


def blobs_delete_unreferenced(ids: Sequence[int]) -> int:
    """Delete those of these blobs that nothing refers to; return the freed bytes.

    A blob that another transaction locks is left: that transaction may refer to it.
    """
    freed_bytes = 0
    for begin in range(0, len(ids), BATCH_SIZE):
        with transaction.atomic():
            freed_bytes += _delete_batch(ids[begin : begin + BATCH_SIZE])
    return freed_bytes


def _delete_batch(ids: Sequence[int]) -> int:
    rows = Blob.objects.filter(pk__in=ids).order_by("pk").select_for_update(skip_locked=True)
    locked = list(rows.values_list("pk", flat=True))
    # Read after locking: a transaction that referred to a blob before has committed by now.
    unused = list(blobs_unreferenced(locked))
    Blob.objects.filter(pk__in=[blob.pk for blob in unused]).delete()
    for store in {blob.store for blob in unused} - {BlobStore.POSTGRESQL}:
        sha256s = [blob.sha256 for blob in unused if blob.store == store]
        transaction.on_commit(partial(unknown_files_delete, store, sha256s))
    return sum(blob.compressed_bytes for blob in unused)


def stray_files_delete() -> int:
    """Delete files of external storages that no blob has; return their number. Raises: OSError."""
    return sum(
        unknown_files_delete(name, list(stored_sha256s(storage_for(name))))
        for name in external_stores()
    )


def unknown_files_delete(store: str, sha256s: Sequence[str]) -> int:
    """Delete those of these files that no blob has; return their number.

    They belong to deleted blobs or to transactions that were rolled back. Deletes nothing while
    another transaction stores files: the daily task repeats it.
    """
    count = 0
    with transaction.atomic():
        if not _advisory_lock("pg_try_advisory_xact_lock"):
            return 0
        for begin in range(0, len(sha256s), BATCH_SIZE):
            batch = sha256s[begin : begin + BATCH_SIZE]
            known = Blob.objects.filter(sha256__in=batch, store=store)
            unknown = set(batch) - set(known.values_list("sha256", flat=True))
            for sha256 in unknown:
                storage_for(store).delete(storage_name(sha256))
            count += len(unknown)
    return count


def files_lock_shared() -> None:
    """Protect files that this transaction writes until its rows are committed."""
    _advisory_lock("pg_advisory_xact_lock_shared")


def _advisory_lock(function: str) -> bool:
    """Take the lock until the transaction ends; return False if it is taken."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [_FILES_LOCK])
        (taken,) = cursor.fetchone()
    return taken is not False
