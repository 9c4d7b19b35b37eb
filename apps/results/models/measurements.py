"""Measurements, latency histograms, and series in chunks."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.common.fields.messages import MessageField
from apps.plans.models import Workload
from apps.runs.models import Attempt, Case, Run, RunTargetMember
from apps.tools.metrics import COLUMNS, COMPARISON_METRICS, Metric
from apps.tools.values import Values


def _is_possible(column: str) -> Q:
    """Return the condition that a rate or latency is finite and not negative, or NULL."""
    return Q(**{f"{column}__isnull": True}) | Q(
        **{f"{column}__gte": 0.0, f"{column}__lt": float("inf")}
    )


class Measurement(models.Model):
    """Result of one operation of an attempt: bytes/s, operations/s, ns; NULL if not reported.

    `component`: empty for the whole measurement, the only one that is compared; else the host, disk
    or directory of the component ("node1", "node1 vdb").
    `member`: the run target's member of the component, None if there is none: a host with several
    disks, or a host in an imported output.
    `workload`: of the operation, so that `seq` of a write, seq, rand test repeats any `seq` with
    equal parameters; for other tests that of the case.
    `valid`: False for partial or dirty results, or changed settings: shown, not compared.
    """

    attempt = models.ForeignKey(
        Attempt, on_delete=models.CASCADE, related_name="measurements", db_index=False
    )
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="measurements")
    workload = models.ForeignKey(
        Workload, on_delete=models.PROTECT, related_name="measurements", db_index=False
    )
    operation = models.CharField(_("operation"), max_length=20)
    component = models.CharField(_("component"), max_length=200, blank=True)
    member = models.ForeignKey(
        RunTargetMember,
        on_delete=models.CASCADE,
        null=True,
        related_name="measurements",
        db_index=False,
    )
    bandwidth = models.FloatField(_("bandwidth, bytes/s"), null=True)
    iops = models.FloatField(_("IOPS"), null=True)
    latency_min = models.FloatField(null=True)
    latency_mean = models.FloatField(_("mean latency, ns"), null=True)
    latency_max = models.FloatField(null=True)
    latency_stddev = models.FloatField(null=True)
    latency_p50 = models.FloatField(null=True)
    latency_p95 = models.FloatField(null=True)
    latency_p99 = models.FloatField(null=True)
    latency_p999 = models.FloatField(null=True)
    latency_p9999 = models.FloatField(null=True)
    percentiles: models.Field[dict[str, float], dict[str, float]] = models.JSONField(default=dict)
    values: models.Field[Values, Values] = models.JSONField(default=dict)
    valid = models.BooleanField(default=True)
    invalid_reason = MessageField(blank=True)
    parser_version = models.PositiveIntegerField()
    format = models.CharField(max_length=20, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["attempt", "operation", "component"],
                name="one_measurement_per_operation_and_component",
            ),
            # NaN is greater than infinity in PostgreSQL.
            models.CheckConstraint(
                condition=reduce(and_, (_is_possible(name) for name in COLUMNS)),
                name="figures_are_possible",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["case", "operation"],
                condition=Q(valid=True, component=""),
                name="valid_whole_measurements",
            ),
            models.Index(
                fields=["member"],
                condition=Q(member__isnull=False),
                name="measurements_of_a_member",
            ),
            # As lists ask: whole results with at least so many IOPS, of one operation.
            *(
                models.Index(fields=[key], condition=Q(component=""), name=f"wholes_by_{key}")
                for key in COLUMNS
                if key in COMPARISON_METRICS
            ),
            models.Index(
                fields=["operation", "-id"], condition=Q(component=""), name="wholes_by_operation"
            ),
            models.Index(
                fields=["workload", "-id"], condition=Q(component=""), name="wholes_of_a_workload"
            ),
            models.Index(
                fields=["-id"],
                condition=Q(component="", valid=False),
                name="wholes_that_are_not_valid",
            ),
            # As a run's page asks, between the keys of its cases.
            models.Index(
                fields=["case"],
                condition=Q(component="", valid=False),
                name="wholes_not_valid_by_case",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.case_id} {self.operation}"

    def value_of(self, metric: Metric) -> float | None:
        """Return the value of a metric."""
        if not metric.column and metric.percentile is not None:
            percentile: float | None = self.percentiles.get(metric.percentile)
            return percentile
        figure: float | None = getattr(self, metric.key)
        return figure


class Histogram(models.Model):
    """Latency histogram: fio's bins in ns, ascending, and the operations in each."""

    measurement = models.OneToOneField(
        Measurement, on_delete=models.CASCADE, related_name="histogram"
    )
    bins = ArrayField(models.BigIntegerField())
    counts = ArrayField(models.BigIntegerField())

    def __str__(self) -> str:
        return f"histogram of {self.measurement_id}"


class HistogramSeries(models.Model):
    """Latency histograms over time, in coarse buckets, on the time axis of the series.

    `lows`: lower edges in ns, ascending. `counts`: a row of little-endian uint32 per interval,
    compressed with zstd, see `results.services.buckets`.
    """

    measurement = models.OneToOneField(
        Measurement, on_delete=models.CASCADE, related_name="over_time"
    )
    start = models.FloatField()
    interval = models.FloatField()
    length = models.PositiveIntegerField()
    lows = ArrayField(models.BigIntegerField())
    counts = models.BinaryField()

    class Meta:
        verbose_name_plural = "histogram series"

    def __str__(self) -> str:
        return f"histograms of {self.measurement_id} over time"


class Series(models.Model):
    """Metric over time: sample i covers `interval` seconds from `start` + i x `interval`.

    `component`, `member`: as in a measurement; for a device the host (empty if there is one) and
    the disk under test.
    `value_count`: number of intervals with a value; `minimum` to `stddev` summarise these in the
    metric's unit. The summary stays that of all intervals after downsampling (`downsampled_at`).
    `stalled`: seconds of the tool's intervals in which its rate was 0; null if it is unknown.
    """

    class Source(models.TextChoices):
        TOOL = "tool", _("the tool")
        DEVICE = "device", _("the device")
        HOST = "host", _("the host")
        COST = "cost", _("wear and energy")
        CLUSTER = "cluster", _("the cluster")

    attempt = models.ForeignKey(
        Attempt, on_delete=models.CASCADE, related_name="series", db_index=False
    )
    # The attempt's, which keeps it: no constraint of its own.
    run = models.ForeignKey(
        Run, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    source = models.CharField(max_length=8, choices=Source.choices)
    component = models.CharField(max_length=200, blank=True)
    member = models.ForeignKey(
        RunTargetMember, on_delete=models.CASCADE, null=True, related_name="series", db_index=False
    )
    subject = models.CharField(max_length=40)
    metric = models.CharField(max_length=40)
    start = models.FloatField()
    interval = models.FloatField()
    length = models.PositiveBigIntegerField()
    downsampled_at = models.DateTimeField(null=True, editable=False)
    value_count = models.PositiveBigIntegerField(null=True)
    minimum = models.FloatField(null=True)
    mean = models.FloatField(null=True)
    maximum = models.FloatField(null=True)
    stddev = models.FloatField(null=True)
    stalled = models.FloatField(null=True)

    class Meta:
        verbose_name_plural = "series"
        ordering: ClassVar[list[str]] = ["attempt", "source", "component", "subject", "metric"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["attempt", "source", "component", "subject", "metric"],
                name="one_series_per_component_and_metric",
            )
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["metric", "subject", "component"], name="series_of_a_metric"),
            models.Index(fields=["run", "id"], name="series_of_a_run"),
            models.Index(
                fields=["member"], condition=Q(member__isnull=False), name="series_of_a_member"
            ),
            models.Index(
                fields=["run"], condition=Q(stalled__gt=0), name="series_with_stalls_of_a_run"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.metric}"


class SeriesChunk(models.Model):
    """Up to CHUNK little-endian float32 samples (NaN if missing), with extremes per TILE."""

    series = models.ForeignKey(
        Series, on_delete=models.CASCADE, related_name="chunks", db_index=False
    )
    index = models.PositiveIntegerField()
    values = models.BinaryField()
    tile_minima = models.BinaryField()
    tile_maxima = models.BinaryField()

    class Meta:
        ordering: ClassVar[list[str]] = ["series", "index"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["series", "index"], name="chunks_are_numbered")
        ]

    def __str__(self) -> str:
        return f"{self.series_id}/{self.index}"
