"""Result summaries: one narrow row per whole measurement."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.common.domain.verdicts import VerdictKind
from apps.inventory.models import Host, HostFacts, Target
from apps.plans.models import Workload
from apps.results.models.measurements import Measurement
from apps.runs.models import Case, Run, RunTarget, RunTuning
from apps.tuning.models import TuningProfile

EXPECTATION_VERDICTS = [
    (VerdictKind.MET.value, _("met what was expected")),
    (VerdictKind.MISSED.value, _("missed what was expected")),
]


def _link(to: type[models.Model], **options: Any) -> Any:
    """Return a foreign key without a constraint, as the measurement's rows have it."""
    return models.ForeignKey(
        to,
        on_delete=options.pop("on_delete", models.DO_NOTHING),
        related_name="summaries",
        db_constraint=False,
        db_index=False,
        **options,
    )


class ResultSummary(models.Model):
    """Denormalised row per whole measurement, read by comparisons, history and lists.

    Maintained by `summaries_refresh`; rebuild with `manage.py rebuild_summaries`.

    `target`: None for imported results. `host`: the first host.
    `tuning`: None if no profile was applied or the profile is deleted.
    `settings_hash`: of the effective settings; None if an import does not report them.
    `measured_at`: start of the attempt, else the time of import; `has_measured_time` is then False.
    `is_comparable`: comparisons use the row; else `exclusion_reason` is set.
    `expectation_verdict`: of all expectations of the step; empty if there are none.

    Columns of equal width are adjacent, which saves padding.
    """

    class ExclusionReason(models.TextChoices):
        INVALID = "invalid", _("the result is marked invalid")
        CASE = "case", _("the case did not succeed")
        ATTEMPT = "attempt", _("the attempt did not succeed, or its result is invalid")
        REPLACED = "replaced", _("replaced by a later attempt of the same case")
        PRECONDITION = (
            "precondition",
            _("preconditioning, or before the steady state"),
        )

    measurement = models.OneToOneField(
        Measurement, on_delete=models.CASCADE, primary_key=True, related_name="summary"
    )
    run = _link(Run)
    case = _link(Case)
    workload = _link(Workload)
    run_target = _link(RunTarget)
    target = _link(Target, null=True)
    host = _link(Host, null=True)
    run_tuning = _link(RunTuning)
    tuning = _link(TuningProfile, null=True, on_delete=models.SET_NULL)
    settings_hash = models.BigIntegerField(null=True)
    facts = _link(HostFacts, null=True)
    measured_at = models.DateTimeField()
    bandwidth = models.FloatField(null=True)
    iops = models.FloatField(null=True)
    latency_min = models.FloatField(null=True)
    latency_mean = models.FloatField(null=True)
    latency_max = models.FloatField(null=True)
    latency_stddev = models.FloatField(null=True)
    latency_p50 = models.FloatField(null=True)
    latency_p95 = models.FloatField(null=True)
    latency_p99 = models.FloatField(null=True)
    latency_p999 = models.FloatField(null=True)
    latency_p9999 = models.FloatField(null=True)
    block = models.PositiveIntegerField()
    repeat = models.PositiveIntegerField()
    parser_version = models.PositiveIntegerField()
    has_measured_time = models.BooleanField()
    imported = models.BooleanField()
    is_comparable = models.BooleanField()
    exclusion_reason = models.CharField(max_length=12, choices=ExclusionReason.choices, blank=True)
    operation = models.CharField(max_length=20)
    tool_version = models.CharField(max_length=40, blank=True)
    expectation_verdict = models.CharField(max_length=6, choices=EXPECTATION_VERDICTS, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["run"], name="summaries_by_run"),
            models.Index(fields=["host", "workload"], name="summaries_by_host"),
            # History of one target, and the latest result of a workload on every target; then the
            # latest of any workload.
            models.Index(
                fields=["workload", "target", "measured_at"],
                condition=Q(is_comparable=True),
                name="summaries_over_time",
            ),
            # History of a workload on all targets: its newest results without the older ones.
            models.Index(
                fields=["workload", "measured_at", "measurement"],
                condition=Q(is_comparable=True),
                name="summaries_by_time",
            ),
            models.Index(
                fields=["target", "measured_at"],
                condition=Q(is_comparable=True),
                name="summaries_by_target",
            ),
            models.Index(
                fields=["expectation_verdict", "case"],
                condition=~Q(expectation_verdict=""),
                name="summaries_by_verdict",
            ),
        ]

    def __str__(self) -> str:
        return f"summary of measurement {self.measurement_id}"
