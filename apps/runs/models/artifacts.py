"""The files an attempt left, and their bytes: each content is stored once, whoever refers to it."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.runs.models.attempts import Attempt


class BlobStore(models.TextChoices):
    """The store in which packed bytes lie (apps.runs.storage.stores)."""

    POSTGRESQL = "postgresql", _("PostgreSQL")
    FILES = "files", _("files")
    S3 = "s3", _("S3")


class Blob(models.Model):
    """Bytes by their SHA-256, `packed` of them as a zstd stream.

    `size` and `sha256` are of the bytes themselves. A blob no artifact refers to is removed
    (apps.runs.storage.blobs).
    """

    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()
    packed = models.BigIntegerField()
    store = models.CharField(max_length=12, choices=BlobStore.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        # Not `unique=True`: of a text Django would add a second index, for LIKE.
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["sha256"], name="one_blob_per_content")
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["store", "id"], name="blobs_of_a_store")
        ]

    def __str__(self) -> str:
        return self.sha256


class BlobContent(models.Model):
    """The packed bytes of a blob that lies in PostgreSQL."""

    blob = models.OneToOneField(
        Blob, on_delete=models.CASCADE, primary_key=True, related_name="stored"
    )
    content = models.BinaryField()

    def __str__(self) -> str:
        return str(self.blob_id)


class StoreMark(models.Model):
    """The mark of this installation, its one row: what it leaves in a bucket, so that no two keep
    their raw output under one prefix and tidy away each other's.
    """

    token = models.UUIDField(default=uuid.uuid4, editable=False)

    def __str__(self) -> str:
        return str(self.token)


class Artifact(models.Model):
    """A file an attempt left, untouched. `blob` is None once its bytes were removed, at
    `removed_at` by `removed_by` (a sentence); `size` and `sha256` stay.
    """

    # The constraint's index begins with the attempt: it needs none of its own.
    attempt = models.ForeignKey(
        Attempt, on_delete=models.CASCADE, related_name="artifacts", db_index=False
    )
    # "host/file" (64 and 255 bytes at most), or what a file was called in an import.
    name = models.CharField(max_length=420)
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, null=True, related_name="artifacts")
    created_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    removed_by = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["attempt", "name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["attempt", "name"], name="one_artifact_per_name"),
            models.CheckConstraint(
                condition=models.Q(blob__isnull=False) | models.Q(removed_at__isnull=False),
                name="artifacts_have_bytes_or_were_removed",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["sha256"], name="artifacts_by_content")
        ]

    def __str__(self) -> str:
        return self.name
