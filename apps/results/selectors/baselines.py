"""Queries of baselines and their values."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.db.models import F, Q, QuerySet

from apps.inventory.models import Disk
from apps.inventory.models.targets import target_joins
from apps.plans.models import Workload
from apps.results.models import Baseline
from apps.results.selectors.metric_columns import extent_value
from apps.results.selectors.results import comparable_summaries
from apps.runs.models import RunTarget
from apps.tools.metrics import OVER_TIME


@dataclass(frozen=True)
class BaselineValue:
    """Baseline's value of one metric: the median of its results."""

    baseline: Baseline
    value: float
    results: int

    @property
    def label(self) -> str:
        return str(self.baseline)


def baselines_listed() -> QuerySet[Baseline]:
    """Return all baselines with their relations, newest first."""
    return Baseline.objects.select_related(
        "owner", "team", "run", "case__workload", "disk_model", *target_joins("target")
    ).order_by("-pk")


def baselines_of(targets: Collection[int] | QuerySet[Any, Any]) -> QuerySet[Baseline]:
    """Return the baselines of targets (ids or a query) and of the models of their disks."""
    models = Disk.objects.filter(target__in=targets).exclude(model=None).values("model")
    return baselines_listed().filter(Q(target__in=targets) | Q(disk_model__in=models))


def baselines_for_runs(runs: Collection[int]) -> QuerySet[Baseline]:
    """Return the baselines of these runs' targets, without those of these runs."""
    targets = RunTarget.objects.filter(run__in=runs).exclude(target=None).order_by()
    return baselines_of(targets.values("target")).exclude(run__in=runs)


def baseline_values(
    baselines: Iterable[Baseline], *, workload: Workload, operation: str, metric: str
) -> list[BaselineValue]:
    """Return the values of baselines that measured this workload."""
    result = []
    for baseline in baselines:
        rows = comparable_summaries().filter(
            run=baseline.run_id, workload=workload, operation=operation
        )
        if baseline.case_id is not None:
            rows = rows.filter(case=baseline.case_id)
        if baseline.target_id is not None:
            rows = rows.filter(target=baseline.target_id)
        else:
            rows = rows.filter(target__disk__model=baseline.disk_model)
        value = extent_value(metric) if metric in OVER_TIME else F(metric)
        measured = rows.annotate(value=value).filter(value__isnull=False)
        values = list(measured.values_list("value", flat=True)[:1000])
        if values:
            result.append(BaselineValue(baseline, float(median(values)), len(values)))
    return result
