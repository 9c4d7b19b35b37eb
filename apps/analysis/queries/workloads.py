"""Workloads with results, their operations and metrics."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Model, QuerySet

from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_names
from apps.results.models import ResultSummary
from apps.results.selectors.metric_columns import extent_value
from apps.runs.models import RunTarget
from apps.tools.metrics import COLUMNS, METRICS, METRICS_BY_PRIORITY, OVER_TIME
from apps.tools.workloads.order import operation_key, workload_order

DEFAULT_METRIC = next(key for key in METRICS_BY_PRIORITY if METRICS[key].percentile)
"""Default metric: the first percentile by priority."""


METRIC_ORDER = tuple(dict.fromkeys((DEFAULT_METRIC, *METRICS_BY_PRIORITY, *COLUMNS)))


MAX_LATEST = 2_000
"""Limit of results in which workloads are searched without a target.

A search of a whole archive takes seconds.
"""


MAX_MEASURED = 20_000
"""Limit of results in which metrics are searched: the newest, as a history shows them."""


@dataclass(frozen=True)
class MeasuredWorkload:
    """Workload with its number of results and the time of the last one; `name` is unique."""

    workload: Workload
    name: str
    results: int
    last: datetime


def measured_operations(rows: QuerySet[ResultSummary], tool: str) -> dict[str, list[str]]:
    """Return the measured operations in their tool's order, each with its metrics by priority.

    Those of the newest results: counting all of them would read the whole past of the workload.
    """
    moments = rows.order_by("-measured_at", "-pk").values_list("measured_at", flat=True)
    older = next(iter(moments[MAX_MEASURED : MAX_MEASURED + 1]), None)
    newest = rows if older is None else rows.filter(measured_at__gte=older)
    counts = {f"number_{key}": Count(key) for key in COLUMNS}
    counted = newest.order_by().values_list("operation").annotate(**counts)
    result = {name: dict(zip(COLUMNS, numbers, strict=True)) for name, *numbers in counted}
    return {
        operation: [key for key in METRIC_ORDER if result[operation][key]]
        + _over_time(rows, operation)
        for operation in sorted(result, key=lambda name: operation_key(tool, name))
    }


def _over_time(rows: QuerySet[ResultSummary], operation: str) -> list[str]:
    """Return the series metrics of the newest result of the operation."""
    own = (
        rows.filter(operation=operation)
        .order_by("-measured_at", "-pk")
        .values_list("pk", flat=True)
    )
    # Two queries: PostgreSQL would compute the values of all rows before it selects the newest.
    newest = ResultSummary.objects.filter(pk=own.first()).order_by()
    values = {key: extent_value(key) for key in OVER_TIME}
    result = newest.values(**values).first() or {}
    return [key for key in OVER_TIME if result.get(key) is not None]


def measured_workloads(
    rows: QuerySet[ResultSummary], target: Model | None, limit: int
) -> list[MeasuredWorkload]:
    """Return the workloads of these results, at most `limit`: those measured last."""
    if target is not None:
        # A target's runs are few; figures have no index that begins with the target.
        runs = RunTarget.objects.filter(target=target.pk)
        rows = rows.filter(run__in=runs.order_by().values("run"))
    counted = rows.values("workload").annotate(results=Count("pk"), last=Max("measured_at"))
    newest = list(counted.order_by("-last", "workload")[:limit])
    named = Workload.objects.in_bulk([row["workload"] for row in newest])
    names = workload_names(named.values())
    result = [
        MeasuredWorkload(named[pk], names[pk], row["results"], row["last"])
        for row in newest
        for pk in [row["workload"]]
    ]
    return sorted(result, key=lambda one: workload_order(one.workload.tool, one.workload.params))


def latest_workloads(rows: QuerySet[ResultSummary], limit: int) -> list[MeasuredWorkload]:
    """Return the workloads of the latest of these results."""
    newest = rows.order_by("-pk").values("pk")[:MAX_LATEST]
    return measured_workloads(rows.filter(pk__in=newest), None, limit)
