"""Figures: each whole measurement with what it is about, in one narrow row."""

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

JUDGED = [
    (VerdictKind.MET.value, _("met what was expected")),
    (VerdictKind.MISSED.value, _("missed what was expected")),
]


def _link(to: type[models.Model], **options: Any) -> Any:
    """A key without a constraint: the measurement's own rows have it, and this row goes with the
    measurement.
    """
    return models.ForeignKey(
        to,
        on_delete=options.pop("on_delete", models.DO_NOTHING),
        related_name="figures",
        db_constraint=False,
        db_index=False,
        **options,
    )


class Figure(models.Model):
    """The figures of one whole measurement (no member's share), with all that a comparison, a
    history or a list asks of it, so that none of them joins or reads a document.

    `figures_refresh` alone writes these rows (services.summary_table). `manage.py figures`
    compares them with the measurements.

    `target` is None for imported results; `host` is the first one that took part. `tuning` is the
    profile, None where there was none or it is deleted; `settings_hash` tells settings in force
    apart whatever their profile is called, None where an import does not say them. `at` orders
    results in time: when the attempt started, else when its results were stored; `timed` is false
    where that is only the day of an import. `counts`: comparisons may use it; else `left_out` says
    why not. `judged`: which side it is on of all that its step expected (`runs.RunExpectation`),
    empty where nothing was expected of what was measured or it does not count. Columns of the
    same width stand together, which saves padding.
    """

    class LeftOut(models.TextChoices):
        INVALID = "invalid", _("its figures are marked invalid")
        CASE = "case", _("the case did not succeed")
        ATTEMPT = "attempt", _("the attempt did not succeed, or its figures are doubtful")
        REPLACED = "replaced", _("a later attempt of the same case counts")
        PRECONDITION = (
            "precondition",
            _("the case prepares a disk, or is a round before the steady state"),
        )

    measurement = models.OneToOneField(
        Measurement, on_delete=models.CASCADE, primary_key=True, related_name="figure"
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
    at = models.DateTimeField()
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
    timed = models.BooleanField()
    imported = models.BooleanField()
    counts = models.BooleanField()
    left_out = models.CharField(max_length=12, choices=LeftOut.choices, blank=True)
    operation = models.CharField(max_length=20)
    tool_version = models.CharField(max_length=40, blank=True)
    judged = models.CharField(max_length=6, choices=JUDGED, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["run"], name="figures_of_a_run"),
            models.Index(fields=["host", "workload"], name="figures_of_a_host"),
            # History of one target, and the latest result of a workload on every target; then the
            # latest of any workload.
            models.Index(
                fields=["workload", "target", "at"],
                condition=Q(counts=True),
                name="figures_over_time",
            ),
            models.Index(
                fields=["target", "at"], condition=Q(counts=True), name="figures_of_a_target"
            ),
            models.Index(fields=["judged", "case"], condition=~Q(judged=""), name="figures_judged"),
        ]

    def __str__(self) -> str:
        return f"figures of measurement {self.measurement_id}"
