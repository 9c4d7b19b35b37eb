"""Storages of packed bytes: Django's `STORAGES["artifacts-…"]`, for each value of BlobStore one.

A blob's row names its storage, so several may be in use at once. `BENCHLAB_ARTIFACTS` names the one
of new blobs, and `bin/manage artifacts move` moves the others there (`moving`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import Storage, storages

from apps.runs.models import Blob, BlobStore
from apps.runs.storage.encodings import Damaged, unpacked
from apps.runs.storage.naming import sha256_of, stored_name

IN_MEMORY = 4 << 20
"""Bytes of one blob in memory while it is stored; more are in a temporary file."""


def store_of(name: str) -> Storage:
    """The storage with this name in a blob's row. Raises OSError, ImproperlyConfigured."""
    return storages[f"artifacts-{name}"]


def outside_stores() -> list[str]:
    """The names of storages outside the database that this installation uses or used."""
    used = settings.ARTIFACTS == BlobStore.S3 or Blob.objects.filter(store=BlobStore.S3).exists()
    return [BlobStore.FILES, BlobStore.S3] if used else [BlobStore.FILES]


def packed_save(storage: Storage, sha256: str, pieces: Iterable[bytes]) -> None:
    """Store the packed bytes of one content. Raises OSError."""
    with SpooledTemporaryFile(max_size=IN_MEMORY) as file:
        file.writelines(pieces)
        file.seek(0)
        storage.save(stored_name(sha256), File(file))


def blob_pieces(blob: Blob) -> Iterator[bytes]:
    """A blob's bytes, unpacked, a piece at a time. Raises Damaged, OSError."""
    try:
        file = store_of(blob.store).open(stored_name(blob.sha256))
    except FileNotFoundError as error:
        raise Damaged("its packed bytes are missing") from error
    with file:
        yield from unpacked(file.chunks(), blob.size)


def blob_is_there(blob: Blob) -> bool:
    """Whether as many packed bytes are stored as the row says. Raises OSError."""
    try:
        return store_of(blob.store).size(stored_name(blob.sha256)) == blob.packed
    except FileNotFoundError:
        return False


def stored_contents(storage: Storage) -> Iterator[str]:
    """The SHA-256 of everything in a storage outside the database. Raises OSError."""
    try:
        folders, _files = storage.listdir("")
    except FileNotFoundError:
        return
    for folder in folders:
        for name in storage.listdir(folder)[1]:
            if sha256 := sha256_of(f"{folder}/{name}"):
                yield sha256
