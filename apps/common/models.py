"""Abstract bases, and the versions of results."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Timestamped(models.Model):
    """Base of rows with creation and change times (UTC)."""

    created_at = models.DateTimeField(_("created"), auto_now_add=True, editable=False)
    updated_at = models.DateTimeField(_("changed"), auto_now=True, editable=False)

    class Meta:
        abstract = True
        ordering: ClassVar[list[str]] = ["-id"]


class Backup(models.Model):
    """Backup that was made and read back, for the page *System* and /metrics.

    `name`: path of the file, or what the admin recorded. `made_at`: the point in time it shows.
    `size_bytes`: None if unknown.
    """

    name = models.CharField(max_length=300)
    made_at = models.DateTimeField()
    recorded_at = models.DateTimeField(auto_now_add=True)
    size_bytes = models.BigIntegerField(null=True)
    version = models.CharField(max_length=40)

    class Meta:
        ordering: ClassVar[list[str]] = ["-made_at", "-id"]

    def __str__(self) -> str:
        return self.name


ONLY = 1
"""Primary key of the single row."""


class ResultsVersion(models.Model):
    """Single row with the versions of results and names (apps.common.services).

    A restore sets a new `epoch`, because versions then repeat.
    """

    results = models.BigIntegerField(default=0)
    names = models.BigIntegerField(default=0)
    epoch = models.UUIDField(default=uuid.uuid4)

    def __str__(self) -> str:
        return f"results {self.results}, names {self.names}"
