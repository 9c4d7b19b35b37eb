"""Abstract bases, and the versions of results."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Timestamped(models.Model):
    """Rows that know when they were made and last changed (UTC)."""

    created_at = models.DateTimeField(_("created"), auto_now_add=True, editable=False)
    updated_at = models.DateTimeField(_("changed"), auto_now=True, editable=False)

    class Meta:
        abstract = True
        ordering: ClassVar[list[str]] = ["-id"]


ONLY = 1
"""Key of the one row of ResultsVersion."""


class ResultsVersion(models.Model):
    """One row with the versions of all results and of the names shown beside them
    (apps.common.services). A restore sets another `epoch`, because versions then repeat.
    """

    results = models.BigIntegerField(default=0)
    names = models.BigIntegerField(default=0)
    epoch = models.UUIDField(default=uuid.uuid4)

    def __str__(self) -> str:
        return f"results {self.results}, names {self.names}"
