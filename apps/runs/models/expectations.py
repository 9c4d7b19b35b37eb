"""Expectations of a run: of its steps, frozen at the launch, or entered for an import."""

from __future__ import annotations

from typing import ClassVar, cast

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.plans.models import Workload
from apps.plans.schemas import expectations
from apps.runs.models.targets import RunTarget


class RunExpectation(models.Model):
    """Expectation of a metric of a workload on a run target.

    `value`: in the metric's canonical unit. `bound`: the value after the tolerance (percent).
    `either`: one of a provider's caps, of which one met is enough, see `judge.is_either`.

    Written at the launch and never changed later, as `results.ResultSummary.expectation_verdict` is
    computed from it. Those of an imported run are replaced together (`imported_expectations_set`).
    """

    class Direction(models.TextChoices):
        LEAST = "least", _("at least")
        MOST = "most", _("at most")

    class Source(models.TextChoices):
        OWN = "own", _("asked for")
        PROVIDER = "provider", _("promised by the provider")
        MODEL = "model", _("by the disk's model")

    run_target = models.ForeignKey(
        RunTarget, on_delete=models.CASCADE, related_name="expectations", db_index=False
    )
    workload = models.ForeignKey(
        Workload, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    step_name = models.CharField(max_length=80, blank=True)
    position = models.PositiveIntegerField()
    metric = models.CharField(max_length=40)
    operation = models.CharField(max_length=20, blank=True)
    direction = models.CharField(max_length=5, choices=Direction.choices)
    value = models.FloatField()
    unit = models.CharField(max_length=10, blank=True)
    tolerance = models.FloatField(default=0.0)
    source = models.CharField(max_length=8, choices=Source.choices, default=Source.OWN)
    bound = models.FloatField()
    either = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["run_target", "workload", "step_name", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["run_target", "workload", "step_name", "position"],
                name="expectations_are_numbered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.direction} {self.value:g}"

    @property
    def expected(self) -> expectations.Expectation:
        """Return the expectation as a step defines it."""
        return expectations.Expectation(
            metric=self.metric,
            direction=cast(expectations.Direction, str(self.direction)),
            value=self.value,
            unit=self.unit,
            tolerance=self.tolerance,
            source=cast(expectations.Source, str(self.source)),
            operation=self.operation,
        )
