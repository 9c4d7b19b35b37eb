"""Median and spread of the repeats of a run's tests, computed by the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    Aggregate,
    Avg,
    Count,
    Exists,
    FloatField,
    OuterRef,
    QuerySet,
    StdDev,
)

from apps.runs.models import Attempt, AttemptState, Case, CaseState, Purpose


class Median(Aggregate):
    """Median of the values that are not null."""

    function = "PERCENTILE_CONT"
    name = "Median"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


@dataclass(frozen=True)
class MetricMedian:
    """Median of a metric. `spread`: standard deviation over mean, None of a single value."""

    median: float | None
    spread: float | None


@dataclass(frozen=True)
class RepeatMedians:
    """Values of the repeats of one test: equal workload, target, tuning and operation.

    `number`: valid results; `figures`: one per requested metric, in its order.
    """

    tuning_name: str
    tool: str
    operation: str
    number: int
    figures: tuple[MetricMedian, ...]


def repeat_medians(
    cases: QuerySet[Case], alike: Sequence[str], metrics: Sequence[str]
) -> dict[tuple[Any, ...], list[RepeatMedians]]:
    """Return the medians of valid results by the columns `alike` of their cases.

    `metrics`: columns of a measurement. The last attempt of a case decides, as in comparisons.
    """
    names = (*alike, "run_tuning__name", "workload__tool")
    columns = (*(f"case__{name}" for name in names), "measurements__operation")
    rows = _last_valid(cases).order_by().values_list(*columns, "case__run_tuning_id")
    values = {
        f"{name}_{metric}": function(f"measurements__{metric}")
        for metric in metrics
        for name, function in (("median", Median), ("mean", Avg), ("deviation", _Deviation))
    }
    result: dict[tuple[Any, ...], list[RepeatMedians]] = defaultdict(list)
    width = len(alike)
    for row in rows.annotate(Count("measurements"), **values):
        tuning, tool, operation, _tuning_id, number, *figures = row[width:]
        medians = [
            _metric_median(*figures[start : start + 3]) for start in range(0, len(figures), 3)
        ]
        result[row[:width]].append(
            RepeatMedians(tuning or "", tool, operation, number, tuple(medians))
        )
    return result


class _Deviation(StdDev):
    """Standard deviation of a sample; null of a single value."""

    def __init__(self, expression: str) -> None:
        super().__init__(expression, sample=True)


def _last_valid(cases: QuerySet[Case]) -> Any:
    later = Attempt.objects.filter(case=OuterRef("case"), number__gt=OuterRef("number"))
    # Any: results are an app above this one; they are met through the relation only.
    last: Any = Attempt.objects.filter(
        ~Exists(later),
        case__in=cases.filter(state=CaseState.SUCCEEDED, purpose=Purpose.MEASURE),
        state=AttemptState.SUCCEEDED,
        valid=True,
    )
    return last.filter(measurements__valid=True, measurements__component="")


def _metric_median(
    median: float | None, mean: float | None, deviation: float | None
) -> MetricMedian:
    if deviation is None or not mean or mean < 0:
        return MetricMedian(median, None)
    return MetricMedian(median, deviation / mean)
