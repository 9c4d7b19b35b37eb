"""Blobs as rows: one for each content, made by whoever stores it first, gone with its last
artifact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from apps.runs.models import Artifact, Blob, BlobStore
from apps.runs.storage.naming import stored_name
from apps.runs.storage.stores import outside_stores, packed_save, store_of, stored_contents

BATCH = 500
# Held together by those who write files, until their rows are committed; alone by who removes files
# that have no row.
_FILES = "benchlab: files of blobs"
_INSERT = """
    INSERT INTO runs_blob (sha256, size, packed, store, created_at)
    SELECT *, %s, %s FROM unnest(%s::text[], %s::bigint[], %s::bigint[])
    ON CONFLICT (sha256) DO NOTHING RETURNING sha256"""
_SHARE = "SELECT * FROM runs_blob WHERE sha256 = ANY(%s) FOR KEY SHARE"


@dataclass(frozen=True)
class Content:
    """A file's bytes, packed, and read only if they are new. `size` and `sha256` are of the
    unpacked bytes.
    """

    sha256: str
    size: int
    packed: int
    pieces: Callable[[], Iterable[bytes]]


def blobs_ensure(contents: Iterable[Content]) -> dict[str, Blob]:
    """A blob for each content, by its SHA-256: the one that is there, or a new one with its bytes
    stored. In the transaction that is open, until whose end nobody removes them. Raises OSError.
    """
    wanted = {content.sha256: content for content in contents}
    if wanted and settings.ARTIFACTS != BlobStore.POSTGRESQL:
        files_hold()
    blobs: dict[str, Blob] = {}
    # Again where somebody removed a blob between the two statements.
    while missing := sorted(wanted.keys() - blobs.keys()):
        new = set(_insert([wanted[sha256] for sha256 in missing]))
        found = {blob.sha256: blob for blob in Blob.objects.raw(_SHARE, [missing])}
        for sha256 in sorted(new):
            packed_save(store_of(settings.ARTIFACTS), sha256, wanted[sha256].pieces())
        blobs |= found
    return blobs


def _insert(contents: Sequence[Content]) -> list[str]:
    """Rows for those that have none; which."""
    rows = [(each.sha256, each.size, each.packed) for each in contents]
    with connection.cursor() as cursor:
        columns = [list(column) for column in zip(*rows, strict=True)]
        cursor.execute(_INSERT, [settings.ARTIFACTS, timezone.now(), *columns])
        return [sha256 for (sha256,) in cursor.fetchall()]


def blobs_unused(ids: Sequence[int] | None = None) -> QuerySet[Blob]:
    """Blobs that no artifact refers to, of all or of these."""
    rows = Blob.objects.filter(~Exists(Artifact.objects.filter(blob=OuterRef("pk"))))
    return rows if ids is None else rows.filter(pk__in=ids)


def blobs_remove_unused(ids: Sequence[int]) -> int:
    """Remove those of these blobs that no artifact refers to any more; the bytes this frees.

    A blob that somebody is just storing a second file with is left alone. Files go after the
    commit.
    """
    freed = 0
    for begin in range(0, len(ids), BATCH):
        with transaction.atomic():
            freed += _remove_some(ids[begin : begin + BATCH])
    return freed


def _remove_some(ids: Sequence[int]) -> int:
    rows = Blob.objects.filter(pk__in=ids).order_by("pk").select_for_update(skip_locked=True)
    held = list(rows.values_list("pk", flat=True))
    # Asked after they are held: whoever referred to one before has committed by now.
    unused = list(blobs_unused(held))
    Blob.objects.filter(pk__in=[blob.pk for blob in unused]).delete()
    for store in {blob.store for blob in unused} - {BlobStore.POSTGRESQL}:
        files = [blob.sha256 for blob in unused if blob.store == store]
        transaction.on_commit(partial(files_remove_unknown, store, files))
    return sum(blob.packed for blob in unused)


def strays_remove() -> int:
    """Remove what lies in stores outside the database and no blob has; how many. Raises OSError."""
    return sum(
        files_remove_unknown(name, list(stored_contents(store_of(name))))
        for name in outside_stores()
    )


def files_remove_unknown(store: str, sha256s: Sequence[str]) -> int:
    """Remove files of this store that no blob has: of removed blobs, and of transactions that were
    undone. How many; none while somebody stores files, the next time will do.
    """
    removed = 0
    with transaction.atomic():
        if not _lock("pg_try_advisory_xact_lock"):
            return 0
        for begin in range(0, len(sha256s), BATCH):
            some = sha256s[begin : begin + BATCH]
            known = Blob.objects.filter(sha256__in=some, store=store)
            unknown = set(some) - set(known.values_list("sha256", flat=True))
            for sha256 in unknown:
                store_of(store).delete(stored_name(sha256))
            removed += len(unknown)
    return removed


def files_hold() -> None:
    """Keep files that are written in this transaction until its rows are committed."""
    _lock("pg_advisory_xact_lock_shared")


def _lock(function: str) -> bool:
    """Take the lock of the files until the transaction ends; whether it was to be had."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [_FILES])
        (taken,) = cursor.fetchone()
    return taken is not False
