"""Background loads of a run, frozen at the launch."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.runs.models.runs import Run
from apps.runs.models.targets import RunTarget
from apps.tools.values import Parameters


class RunBackground(models.Model):
    """A load that runs beside tests of a run, as it was at the launch.

    `value`: of the workload's parameter (apps.tools.background). `params`: canonical, with the
    duration of the plan; a job goes on until the test has ended. `run_target`: None for that of the
    test. `settle_seconds`: how long it runs before the test begins.
    """

    run = models.ForeignKey(
        Run, on_delete=models.CASCADE, related_name="backgrounds", db_index=False
    )
    position = models.PositiveIntegerField()
    value = models.CharField(max_length=400)
    tool = models.CharField(max_length=20)
    params: models.Field[Parameters, Parameters] = models.JSONField()
    label = models.CharField(max_length=300)
    run_target = models.ForeignKey(
        RunTarget, on_delete=models.CASCADE, null=True, related_name="backgrounds", db_index=False
    )
    settle_seconds = models.FloatField(default=0.0)

    class Meta:
        ordering: ClassVar[list[str]] = ["run", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "position"], name="backgrounds_are_numbered"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["run_target"], name="backgrounds_on_a_target")
        ]

    def __str__(self) -> str:
        return self.label
