"""Choice of a workload's operation and metric: those asked for, else the first there are."""

from __future__ import annotations

from dataclasses import dataclass

from apps.analysis.queries.workload_filter import WorkloadFilter
from apps.analysis.queries.workloads import measured_operations
from apps.plans.models import Workload


@dataclass(frozen=True)
class WorkloadMetric:
    """`operations` and `metrics`: what was measured of the workload, and of the operation."""

    operation: str
    metric: str
    operations: tuple[str, ...]
    metrics: tuple[str, ...]


def choose_metric(asked: WorkloadFilter, workload: Workload) -> WorkloadMetric | None:
    """None where nothing like that was measured."""
    there = measured_operations(asked.qs, workload.tool)
    operation = asked.form.cleaned_data["operation"] or next(iter(there), "")
    metrics = there.get(operation, [])
    metric = asked.form.cleaned_data["metric"] or next(iter(metrics), "")
    if metric not in metrics:
        return None
    return WorkloadMetric(operation, metric, tuple(there), tuple(metrics))
