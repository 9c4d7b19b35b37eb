"""Queries of results with histograms."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, QuerySet

from apps.analysis.distribution.result import DistributionResult
from apps.analysis.repeats.level_names import (
    SummaryRow,
    target_key,
    target_names,
    tuning_key,
    tuning_names,
)
from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_names
from apps.results.models import Histogram, ResultSummary
from apps.runs.models import Run

MAX_HISTOGRAMS = 2_000
"""Limit of summed histograms: those of the newest results."""


@dataclass(frozen=True)
class DistributionRead:
    """Results with histograms.

    `more`: older results exist; `without`: number of results without histogram.
    """

    results: tuple[DistributionResult, ...] = ()
    more: bool = False
    without: int = 0


def distributions_read(rows: QuerySet[ResultSummary], operation: str) -> DistributionRead:
    """Return the newest results, of one operation if it is named."""
    measured = rows.filter(operation=operation) if operation else rows
    newest = measured.annotate(value=F("latency_mean")).order_by("-measured_at", "-pk")
    result = list(newest.values(*SummaryRow.__annotations__, "workload_id")[: MAX_HISTOGRAMS + 1])
    more, result = len(result) > MAX_HISTOGRAMS, result[:MAX_HISTOGRAMS]
    histograms = {
        pk: (bins, counts)
        for pk, bins, counts in Histogram.objects.filter(
            measurement__in=[row["pk"] for row in result]
        ).values_list("measurement", "bins", "counts")
    }
    workloads = Workload.objects.in_bulk({row["workload_id"] for row in result})
    names = workload_names(workloads.values())
    runs = Run.objects.in_bulk({row["run_id"] for row in result})
    tunings, targets = tuning_names(result), target_names(result)
    results = [
        DistributionResult(
            {
                "workload": names[row["workload_id"]],
                "operation": row["operation"],
                "target": targets[target_key(row)],
                "tuning": tunings[tuning_key(row)],
                "run": str(runs[row["run_id"]]),
                "case": f"#{row['case_id']}",
            },
            row["case_id"],
            histograms[row["pk"]],
        )
        for row in reversed(result)
        if row["pk"] in histograms
    ]
    return DistributionRead(tuple(results), more, len(result) - len(results))
