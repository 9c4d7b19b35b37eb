"""Stores of packed bytes: in PostgreSQL, as files of a folder that web and workers share, or in a
bucket of an S3.

Each blob's row says which store has it, so several may be in use at once; `BENCHLAB_ARTIFACTS` says
where new ones go, and `bin/manage artifacts move` takes the others there (`moving`).
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Protocol

from django.conf import settings
from django.db import connection

from apps.common.web.downloads import column_pieces
from apps.runs.models import Blob, BlobContent, BlobStore, StoreMark
from apps.runs.storage.bucket import BucketStore, bucket
from apps.runs.storage.folder import FolderStore
from apps.runs.storage.new_blob import NewBlob

# PostgreSQL's binary COPY ("Binary Format" in its page about COPY).
_COPY = "COPY runs_blobcontent (blob_id, content) FROM STDIN (FORMAT BINARY)"
_COPY_BEGIN, _COPY_END = b"PGCOPY\n\xff\r\n\0" + bytes(8), struct.pack("!h", -1)
_ROW = struct.Struct("!hiqi")  # two fields: 8 bytes of a key, and a length


class Store(Protocol):
    """Keeps packed bytes by their blob."""

    def write(self, new: Iterable[NewBlob]) -> None:
        """Keep these bytes, in the transaction that is open. Raises OSError."""

    def pieces(self, blob: Blob) -> Iterator[bytes]:
        """A blob's packed bytes, PIECE of them at a time; nothing where they are gone."""


class DatabaseStore:
    """Rows of `BlobContent`."""

    def write(self, new: Iterable[NewBlob]) -> None:
        with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
            copy.write(_COPY_BEGIN)
            for item in new:
                copy.write(_ROW.pack(2, 8, item.blob.pk, item.blob.packed))
                for piece in item.pieces:
                    copy.write(piece)
            copy.write(_COPY_END)

    def pieces(self, blob: Blob) -> Iterator[bytes]:
        return column_pieces(BlobContent.objects.filter(pk=blob.pk), "content")

    def remove(self, blobs: Collection[Blob]) -> None:
        """Forget the bytes of these blobs."""
        BlobContent.objects.filter(pk__in=[blob.pk for blob in blobs]).delete()


class NamedStore(Store, Protocol):
    """Keeps packed bytes outside the database, each content under its SHA-256: what is written
    stays when the transaction is undone, so somebody has to look for what no row knows.
    """

    def forget(self, sha256s: Collection[str]) -> None:
        """Remove these contents, where they are there. Raises OSError."""

    def names(self) -> Iterator[str]:
        """The SHA-256 of everything that lies here. Raises OSError."""


def folder_store() -> FolderStore:
    """The folder of this installation."""
    return FolderStore(settings.ARTIFACTS_FOLDER)


def bucket_store() -> BucketStore:
    """The bucket of this installation. Raises OSError, ImproperlyConfigured."""
    return _marked(
        settings.ARTIFACTS_BUCKET, settings.ARTIFACTS_ENDPOINT, settings.ARTIFACTS_PREFIX
    )


@cache
def _marked(name: str, endpoint: str, prefix: str) -> BucketStore:
    """Once a process: whose bucket it is does not change, and finding out is two requests."""
    store = BucketStore(bucket(name, endpoint, prefix))
    mark, _made = StoreMark.objects.get_or_create()
    store.claim(str(mark.token))
    return store


def named_store(name: str) -> NamedStore:
    """A store outside the database, by the name in a blob's row."""
    return bucket_store() if name == BlobStore.S3 else folder_store()


def named_stores() -> list[str]:
    """The names of those this installation has or had anything in."""
    found = {BlobStore.FILES.value}
    used = Blob.objects.filter(store=BlobStore.S3).exists()
    if used or settings.ARTIFACTS == BlobStore.S3:
        found.add(BlobStore.S3.value)
    return sorted(found)


def store_of(name: str) -> Store:
    """The store of a blob's row."""
    return DatabaseStore() if name == BlobStore.POSTGRESQL else named_store(name)
