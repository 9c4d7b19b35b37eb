"""Abstract bases. This app has no tables of its own."""

from __future__ import annotations

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
