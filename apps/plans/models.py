"""Test plans: what to measure, on what, under which tunings, how often; and the workloads they
expand to.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Owned
from apps.common.stored.contracts import ContractField
from apps.inventory.models import Host, Target
from apps.plans.cases.exchange import FACTOR_HELP, MOST_LETTERS, TUNING
from apps.plans.cases.until import UntilDecided, until_of
from apps.plans.expectations.contract import STORED, Expectations
from apps.plans.preparation.contract import STORED as PREPARATION
from apps.plans.preparation.contract import Preparation
from apps.plans.rounds import STORED as ROUNDS
from apps.plans.rounds import Rounds
from apps.tools.values import Parameters, RawParameters
from apps.tuning.models import TuningProfile


class TestPlan(Owned):
    __test__ = False  # the name is the field's word; pytest must not take it for a test

    class Order(models.TextChoices):
        LISTED = "listed", _("as listed")
        INTERLEAVED = "interleaved", _("interleaved in random blocks")

    class Unapplied(models.TextChoices):
        REFUSE = "refuse", _("refuse the test")
        AS_FOUND = "as_found", _("run it as found, and file it so")

    name = models.CharField(_("name"), max_length=100, unique=True)
    description = models.TextField(_("description"), blank=True)
    repeats = models.PositiveIntegerField(
        _("repeats"), default=6, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    order = models.CharField(
        _("order"), max_length=12, choices=Order.choices, default=Order.INTERLEAVED
    )
    tunings = models.ManyToManyField(TuningProfile, blank=True, related_name="plans")
    baseline = models.ForeignKey(
        TuningProfile,
        verbose_name=_("baseline"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    unapplied = models.CharField(
        _("where a tuning cannot be applied"),
        max_length=8,
        choices=Unapplied.choices,
        default=Unapplied.REFUSE,
    )
    preparation: models.Field[Preparation, Preparation] = ContractField(
        _("preparation"), contract=PREPARATION, default=dict, blank=True
    )
    rounds: models.Field[Rounds, Rounds] = ContractField(
        _("rounds"), contract=ROUNDS, default=dict, blank=True
    )
    until_within = models.FloatField(
        _("until every interval is within (±%)"), null=True, blank=True
    )
    until_blocks = models.PositiveIntegerField(_("at most so many blocks"), null=True, blank=True)
    until_hours = models.FloatField(_("at most so many hours"), null=True, blank=True)
    until_factor = models.CharField(
        _("decided between"),
        max_length=MOST_LETTERS,
        default=TUNING,
        blank=True,
        help_text=FACTOR_HELP,
    )
    saturates = models.CharField(_("largest load that holds"), max_length=40, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)

    def __str__(self) -> str:
        return self.name

    @property
    def until(self) -> UntilDecided | None:
        """The limits of blocks that are added until every comparison is decided."""
        return until_of(self.until_within, self.until_blocks, self.until_hours, self.until_factor)


class PlanSchedule(models.Model):
    """The user who has a plan launched by the clock; it is done with that user's rights. When it is
    launched stands in beat's own row (apps.plans.schedules); beat's message carries the plan's id
    only.
    """

    plan = models.OneToOneField(TestPlan, on_delete=models.CASCADE, related_name="schedule")
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    set_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"schedule of {self.plan_id}"


class PlanStep(models.Model):
    """One tool with its parameters; any parameter may be a list, which makes the step a sweep."""

    plan = models.ForeignKey(
        TestPlan, on_delete=models.CASCADE, related_name="steps", db_index=False
    )
    position = models.PositiveIntegerField()
    name = models.CharField(_("name"), max_length=80, blank=True)
    tool = models.CharField(_("tool"), max_length=20)
    params: models.Field[RawParameters, RawParameters] = models.JSONField(
        _("parameters"), default=dict
    )
    expectations: models.Field[Expectations, Expectations] = ContractField(
        contract=STORED, default=list
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["plan", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["plan", "position"], name="steps_are_numbered")
        ]

    def __str__(self) -> str:
        return self.name or f"{self.tool} {self.position}"


class PlanTarget(models.Model):
    """A target of the plan's steps, of whatever kind."""

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
    """One point of a sweep in canonical form. `key` is equal across hosts, runs and years:
    comparisons match on it.
    """

    key = models.CharField(max_length=64, unique=True)
    tool = models.CharField(max_length=20)
    params: models.Field[Parameters, Parameters] = models.JSONField()
    label = models.CharField(max_length=200)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            # As `icontains` asks: UPPER(label) LIKE '%…%'.
            GinIndex(OpClass(Upper("label"), "gin_trgm_ops"), name="workloads_by_parts_of_label")
        ]

    def __str__(self) -> str:
        return self.label


class CaseTime(models.Model):
    """The time one earlier case took, for the expected time of the next ones
    (apps.plans.cases.pace): `planned` seconds of its tool, `taken` from its beginning until its
    host was free again. Only the newest of each host and tool are kept.
    """

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="+", db_index=False)
    tool = models.CharField(max_length=20)
    workload = models.ForeignKey(Workload, on_delete=models.CASCADE, related_name="+")
    tuning = models.CharField(max_length=120, blank=True)
    planned = models.FloatField()
    taken = models.FloatField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["host", "tool", "-id"], name="newest_times_of_a_host")
        ]

    def __str__(self) -> str:
        return f"{self.tool} took {self.taken:.1f} s"
