"""Tunings of a run, frozen at the launch."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.fields.versioned_json import SchemaField
from apps.runs.models.runs import Run
from apps.tuning.domain.baseline import tuning_label
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import STORED, Settings


class RunTuning(models.Model):
    """Tuning of a run as it was at the launch.

    `tuning`: None for host defaults, and if an import names an unknown profile.
    `settle_seconds`: pause between the last setting and the first command.
    `is_baseline`: comparisons of the run test the other tunings against it.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="tunings", db_index=False)
    position = models.PositiveIntegerField()
    tuning = models.ForeignKey(
        TuningProfile, on_delete=models.SET_NULL, null=True, related_name="in_runs"
    )
    name = models.CharField(max_length=80, blank=True)
    settings: models.Field[Settings, Settings] = SchemaField(schema=STORED, default=list)
    settle_seconds = models.FloatField(default=0.0)
    is_baseline = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["run", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "position"], name="run_tunings_are_numbered"),
            models.UniqueConstraint(fields=["run", "tuning"], name="a_run_names_a_tuning_once"),
            models.UniqueConstraint(
                fields=["run"],
                condition=models.Q(is_baseline=True),
                name="a_run_has_one_baseline_tuning",
            ),
        ]

    def __str__(self) -> str:
        return tuning_label(self.name)
