"""Exports of the lake."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.fields.messages import MessageField


class LakeExport(models.Model):
    """Export of the archive as Parquet files, for the page *System*, /metrics and the doctor.

    `error`: why it failed. Without an error and without `ended_at` it runs, or its process was
    killed. `months`: months that it wrote again; `files`, `rows`, `size_bytes`: of the whole lake
    afterwards.
    """

    location = models.CharField(max_length=500)
    people = models.BooleanField()
    version = models.CharField(max_length=40)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)
    error = MessageField(blank=True)
    months = models.PositiveIntegerField(null=True)
    files = models.PositiveIntegerField(null=True)
    rows = models.BigIntegerField(null=True)
    size_bytes = models.BigIntegerField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return self.location
