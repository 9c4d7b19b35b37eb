"""Choice of a workload's operation and metric; default: the first measured ones."""

from __future__ import annotations

from dataclasses import dataclass

from apps.analysis.queries.workload_filter import WorkloadFilter
from apps.analysis.queries.workloads import measured_operations
from apps.plans.models import Workload


@dataclass(frozen=True)
class WorkloadMetric:
    """Chosen operation and metric, with the measured operations and metrics."""

    operation: str
    metric: str
    operations: tuple[str, ...]
    metrics: tuple[str, ...]


def choose_metric(filterset: WorkloadFilter, workload: Workload) -> WorkloadMetric | None:
    """Return the choice; None if it was not measured."""
    measured = measured_operations(filterset.qs, workload.tool)
    operation = filterset.form.cleaned_data["operation"] or next(iter(measured), "")
    metrics = measured.get(operation, [])
    metric = filterset.form.cleaned_data["metric"] or next(iter(metrics), "")
    if metric not in metrics:
        return None
    return WorkloadMetric(operation, metric, tuple(measured), tuple(metrics))
