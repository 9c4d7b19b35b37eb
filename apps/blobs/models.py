"""Deduplicated bytes: a row per content, and where its compressed bytes are stored."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class BlobStore(models.TextChoices):
    """Each value names a storage `artifacts-<value>` of Django's STORAGES."""

    POSTGRESQL = "postgresql", _("PostgreSQL")
    FILES = "files", _("files")
    S3 = "s3", _("S3")


class Blob(models.Model):
    """Content of `size_bytes`, stored as a zstd stream of `compressed_bytes`.

    Rows that refer to a blob use PROTECT; services delete a blob that nothing refers to.
    """

    sha256 = models.CharField(max_length=64, help_text="Of the uncompressed bytes.")
    size_bytes = models.BigIntegerField()
    compressed_bytes = models.BigIntegerField()
    store = models.CharField(max_length=12, choices=BlobStore.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        # `unique=True` would add a second index, for LIKE.
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["sha256"], name="uniq_blob_sha256")
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["store", "id"], name="idx_blob_store")
        ]

    def __str__(self) -> str:
        return self.sha256


class BlobContent(models.Model):
    """Compressed bytes of a blob that is stored in PostgreSQL."""

    blob = models.OneToOneField(
        Blob, on_delete=models.CASCADE, primary_key=True, related_name="stored"
    )
    content = models.BinaryField()

    def __str__(self) -> str:
        return str(self.blob_id)


class StoreIdentity(models.Model):
    """One row: the token that this installation writes into its S3 prefix.

    Two installations under one prefix would delete each other's objects as unknown.
    """

    token = models.UUIDField(default=uuid.uuid4, editable=False)

    def __str__(self) -> str:
        return str(self.token)
