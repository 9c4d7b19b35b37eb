"""Read blobs. A blob's row names its storage, so several storages may be in use at once.

`BENCHLAB_ARTIFACT_STORE` names the storage of new blobs; `bin/manage artifacts move` moves the
others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.db.models import Exists, OuterRef, QuerySet

from apps.blobs.domain.compression import BlobDamaged, decompress
from apps.blobs.domain.names import sha256_from_name, storage_name
from apps.blobs.models import Blob, BlobContent, BlobStore


def storage_for(store: str) -> Storage:
    """Return the storage of a BlobStore value. Raises: OSError, ImproperlyConfigured."""
    return storages[f"artifacts-{store}"]


def external_stores() -> list[str]:
    """Return the stores outside the database that this installation uses or used."""
    uses_s3 = (
        settings.ARTIFACT_STORE == BlobStore.S3 or Blob.objects.filter(store=BlobStore.S3).exists()
    )
    return [BlobStore.FILES, BlobStore.S3] if uses_s3 else [BlobStore.FILES]


def blob_pieces(blob: Blob) -> Iterator[bytes]:
    """Yield a blob's uncompressed bytes in pieces. Raises: BlobDamaged, OSError."""
    try:
        file = storage_for(blob.store).open(storage_name(blob.sha256))
    except FileNotFoundError as error:
        raise BlobDamaged("its compressed bytes are missing") from error
    with file:
        yield from decompress(file.chunks(), blob.size_bytes)


def blob_is_stored(blob: Blob) -> bool:
    """Return True if the storage has a file of the expected size. Raises: OSError."""
    try:
        size = storage_for(blob.store).size(storage_name(blob.sha256))
    except FileNotFoundError:
        return False
    return size == blob.compressed_bytes


def stored_sha256s(storage: Storage) -> Iterator[str]:
    """Yield the SHA-256 of each blob in a storage outside the database. Raises: OSError."""
    try:
        folders, _files = storage.listdir("")
    except FileNotFoundError:
        return
    for folder in folders:
        for name in storage.listdir(folder)[1]:
            if sha256 := sha256_from_name(f"{folder}/{name}"):
                yield sha256


def blobs_unreferenced(ids: Sequence[int] | None = None) -> QuerySet[Blob]:
    """Return blobs that no row of any model refers to, of all or of `ids`."""
    rows = Blob.objects.all() if ids is None else Blob.objects.filter(pk__in=ids)
    for relation in Blob._meta.related_objects:
        if relation.related_model is not BlobContent:
            field = relation.field.name
            references = relation.related_model._default_manager.filter(**{field: OuterRef("pk")})
            rows = rows.filter(~Exists(references))
    return rows
