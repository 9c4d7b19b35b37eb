"""Choice of a workload's operation and metric: those asked for, else the first there are."""

from __future__ import annotations

from dataclasses import dataclass

from apps.analysis.history.filters import HistoryFilter
from apps.analysis.history.selectors import operations_of
from apps.plans.models import Workload


@dataclass(frozen=True)
class Chosen:
    """`operations` and `metrics`: what was measured of the workload, and of the operation."""

    operation: str
    metric: str
    operations: tuple[str, ...]
    metrics: tuple[str, ...]


def chosen_of(asked: HistoryFilter, workload: Workload) -> Chosen | None:
    """None where nothing like that was measured."""
    there = operations_of(asked.qs, workload.tool)
    operation = asked.form.cleaned_data["operation"] or next(iter(there), "")
    metrics = there.get(operation, [])
    metric = asked.form.cleaned_data["metric"] or next(iter(metrics), "")
    if metric not in metrics:
        return None
    return Chosen(operation, metric, tuple(there), tuple(metrics))
