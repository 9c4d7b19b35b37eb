"""Timeline of a run: each result relative to the median of its test, and the running tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from django.utils.translation import gettext as _

from apps.analysis.verdicts.multiplicity import MAIN_METRICS, preferred_metric
from apps.common.domain.value_format import format_metric
from apps.plans.selectors.workload_names import workload_names
from apps.results.models import ResultSummary
from apps.runs.models import Attempt, CaseState, Run
from apps.tools.metrics import METRICS
from apps.tools.registry import measures_network
from apps.tuning.domain.baseline import tuning_label

NAMES = ("workload", "run_target", "run_tuning")
FALLBACKS = ("iops", "bandwidth", "latency_mean")
"""Metrics in order of preference if the main metric was not measured."""


@dataclass(frozen=True)
class TimelinePoint:
    """Result of a run.

    `seconds`: from the run's start to the test's; `ratio`: to the median of the test's results;
    `label`: test, metric and value.
    """

    seconds: float
    tuning: str
    ratio: float
    label: str


@dataclass(frozen=True)
class TimelineSpan:
    """Running test: its start and the present, in seconds from the run's start."""

    start: float
    end: float
    tuning: str
    label: str


@dataclass(frozen=True)
class RunTimeline:
    """Results in the order of time, and running tests."""

    dots: Sequence[TimelinePoint]
    boxes: Sequence[TimelineSpan]


def run_timeline(run: Run, now: datetime) -> RunTimeline:
    """Return the timeline of a run until `now`.

    A page polls it every few seconds, so related rows are prefetched and few columns are read.
    """
    rows = list(
        ResultSummary.objects.filter(run=run, is_comparable=True)
        .only(*NAMES, "operation", "measured_at", *MAIN_METRICS, *FALLBACKS)
        .prefetch_related(*NAMES)
        .order_by("measured_at", "pk")
    )
    started_at = run.started_at or (rows[0].measured_at if rows else now)
    names = workload_names(row.workload for row in rows)
    dots = [dot for own in _by_test(rows) for dot in _result_points(own, started_at, names)]
    return RunTimeline(
        sorted(dots, key=lambda dot: dot.seconds), list(_running_spans(run, started_at, now))
    )


def _by_test(rows: Iterable[ResultSummary]) -> Iterable[list[ResultSummary]]:
    """Return the results grouped by workload, target and operation, of all tunings."""
    result: dict[tuple[int, int, str], list[ResultSummary]] = defaultdict(list)
    for row in rows:
        result[row.workload_id, row.run_target_id, row.operation].append(row)
    return result.values()


def _result_points(
    rows: Sequence[ResultSummary], started_at: datetime, names: Mapping[int, str]
) -> Iterable[TimelinePoint]:
    metric = _metric(rows)
    values = [getattr(row, metric) for row in rows]
    median_value = median([value for value in values if value is not None] or [0.0])
    network = measures_network(rows[0].workload.tool)
    for row, value in zip(rows, values, strict=True):
        if value and median_value:
            shown = format_metric(metric, value, network=network)
            label = f"{_test_label(row, names)} · {_(METRICS[metric].label)} {shown}"
            yield TimelinePoint(
                _seconds_since(row.measured_at, started_at),
                str(row.run_tuning),
                value / median_value,
                label,
            )


def _metric(rows: Sequence[ResultSummary]) -> str:
    """Return the main metric of a comparison, or the first that all of these results have."""
    first = rows[0]
    size = first.bandwidth / first.iops if first.bandwidth and first.iops else 0.0
    preferred = preferred_metric(size, first.workload.params)
    candidates = (
        name for name in (preferred, *FALLBACKS) if all(getattr(row, name) for row in rows)
    )
    return next(candidates, preferred)


def _test_label(row: ResultSummary, names: Mapping[int, str]) -> str:
    parts = (names[row.workload_id], row.operation, row.run_target.name)
    return " · ".join(word for word in parts if word)


def _running_spans(run: Run, started_at: datetime, now: datetime) -> Iterable[TimelineSpan]:
    rows = Attempt.objects.filter(case__run=run, case__state=CaseState.RUNNING)
    rows = rows.filter(started_at__isnull=False, ended_at__isnull=True)
    running = list(rows.select_related("case__workload", "case__run_target", "case__run_tuning"))
    names = workload_names(attempt.case.workload for attempt in running)
    for attempt in running:
        case = attempt.case
        label = f"{names[case.workload_id]} · {case.target_words}"
        start = _seconds_since(attempt.started_at or now, started_at)
        yield TimelineSpan(
            start,
            max(start, _seconds_since(now, started_at)),
            tuning_label(case.tuning_name),
            label,
        )


def _seconds_since(at: datetime, started_at: datetime) -> float:
    return max(0.0, (at - started_at).total_seconds())
