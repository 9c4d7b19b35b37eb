"""Artifacts: files of attempts. Equal contents share a blob."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.blobs.models import Blob
from apps.runs.models.attempts import Attempt


class Artifact(models.Model):
    """Unchanged file of an attempt.

    `blob` is None after its removal at `removed_at`; `removed_by` is the rule as text.
    `size` (bytes) and `sha256` stay.
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
