"""Tuning profiles: named settings that are applied to a host for one measurement and restored."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import OwnedModel
from apps.common.fields.versioned_json import SchemaField
from apps.tuning.domain.baseline import tuning_label
from apps.tuning.schemas.settings import STORED, Settings


class TuningProfile(OwnedModel):
    """Settings as checked by apps.tuning.domain.settings.

    A profile without settings keeps the host defaults; it is the usual baseline.
    """

    name = models.CharField(_("name"), max_length=80, unique=True)
    description = models.TextField(_("description"), blank=True)
    settings: models.Field[Settings, Settings] = SchemaField(
        _("settings"), schema=STORED, default=list, blank=True
    )
    settle_seconds = models.FloatField(_("settle time, seconds"), default=0.0)
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta(OwnedModel.Meta):
        ordering: ClassVar[list[str]] = ["name"]

    def __str__(self) -> str:
        return tuning_label(self.name)
