"""Test plans: steps, targets, tuning profiles, schedules; and workloads."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models.functions import Now, Upper
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import OwnedModel
from apps.common.fields.versioned_json import SchemaField
from apps.inventory.models import Host, Target
from apps.plans.schemas.plan import PLAN_SPEC, PlanSpec
from apps.tools.values import Parameters
from apps.tuning.models import TuningProfile


class TestPlan(OwnedModel):
    __test__ = False  # pytest must not collect it as a test

    name = models.CharField(_("name"), max_length=100, unique=True)
    description = models.TextField(_("description"), blank=True)
    spec: models.Field[PlanSpec, PlanSpec] = SchemaField(schema=PLAN_SPEC, default=dict, blank=True)
    tunings = models.ManyToManyField(TuningProfile, blank=True, related_name="plans")
    baseline = models.ForeignKey(
        TuningProfile,
        verbose_name=_("baseline"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta(OwnedModel.Meta):
        indexes: ClassVar[list[models.Index]] = [
            GinIndex(fields=["spec"], opclasses=["jsonb_path_ops"], name="plans_by_spec")
        ]

    def __str__(self) -> str:
        return self.name


class PlanSchedule(models.Model):
    """The user with whose rights a plan is launched on schedule, and the priority of its runs.

    The time is in a row of Celery beat (apps.plans.selectors.schedules).
    """

    plan = models.OneToOneField(TestPlan, on_delete=models.CASCADE, related_name="schedule")
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    set_at = models.DateTimeField()
    low_priority = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"schedule of {self.plan_id}"


class PlanTarget(models.Model):
    """A target of the plan's steps, of any kind."""

    plan = models.ForeignKey(
        TestPlan, on_delete=models.CASCADE, related_name="targets", db_index=False
    )
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="plan_targets")

    class Meta:
        ordering: ClassVar[list[str]] = ["plan", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["plan", "target"], name="a_plan_names_a_target_once")
        ]

    def __str__(self) -> str:
        return str(self.target)


class Workload(models.Model):
    """One sweep point in canonical form; comparisons match its `key` across hosts and runs."""

    key = models.CharField(max_length=64, unique=True)
    tool = models.CharField(max_length=20)
    params: models.Field[Parameters, Parameters] = models.JSONField()
    label = models.CharField(max_length=200)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            # As in the SQL of `icontains`: UPPER(label) LIKE '%…%'.
            GinIndex(OpClass(Upper("label"), "gin_trgm_ops"), name="workloads_by_parts_of_label")
        ]

    def __str__(self) -> str:
        return self.label


class CaseTime(models.Model):
    """The duration of an earlier case, for expected durations (apps.plans.domain.durations).

    `created_at`: its end, for /metrics. `planned`: seconds of its tool; `taken`: seconds until its
    host was free again; `expected`: what its launch expected of `taken`, 0 if unknown. Only the
    newest rows of each host and tool are stored.
    """

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="+", db_index=False)
    tool = models.CharField(max_length=20)
    workload = models.ForeignKey(Workload, on_delete=models.CASCADE, related_name="+")
    tuning = models.CharField(max_length=120, blank=True)
    planned = models.FloatField()
    taken = models.FloatField()
    created_at = models.DateTimeField(auto_now_add=True, db_default=Now())
    expected = models.FloatField(default=0.0)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["host", "tool", "-id"], name="newest_times_of_a_host")
        ]

    def __str__(self) -> str:
        return f"{self.tool} took {self.taken:.1f} s"
