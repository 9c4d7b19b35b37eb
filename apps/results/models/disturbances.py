"""Records of disturbances."""

from __future__ import annotations

from django.db import models

from apps.common.fields.versioned_json import SchemaField
from apps.results.schemas.disturbance import DISTURBANCE, DisturbanceDocument
from apps.runs.models import Attempt


class DisturbanceRecord(models.Model):
    """What a disturbance did during an attempt: marks, phases and series.

    It is computed from the raw output, as measurements are, and kept when that is deleted.
    """

    attempt = models.OneToOneField(Attempt, on_delete=models.CASCADE, related_name="disturbance")
    document: models.Field[DisturbanceDocument, DisturbanceDocument] = SchemaField(
        schema=DISTURBANCE
    )

    def __str__(self) -> str:
        return f"disturbance of {self.attempt_id}"
