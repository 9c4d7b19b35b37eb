"""The course of a run: each result against the median of the same test so far, and the tests that
run now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from apps.analysis.verdicts.multiplicity import MAIN_METRICS, wanted_metric
from apps.analysis.verdicts.text import figure
from apps.plans.selectors.workload_names import workload_names
from apps.results.models import Figure
from apps.runs.models import Attempt, CaseState, Run
from apps.tools.metrics import METRICS
from apps.tools.registry import measures_network

NAMES = ("workload", "run_target", "run_tuning")
FALLBACKS = ("iops", "bandwidth", "latency_mean")
"""Taken in this order where the main metric was not measured."""


@dataclass(frozen=True)
class TimelinePoint:
    """A result: `seconds` from the run's start to its test's, `ratio` to the median of the test's
    results. `label` names the test, the metric and its value.
    """

    seconds: float
    tuning: str
    ratio: float
    label: str


@dataclass(frozen=True)
class TimelineSpan:
    """A test that runs now: its start and the present moment, in seconds from the run's start."""

    start: float
    end: float
    tuning: str
    label: str


@dataclass(frozen=True)
class RunTimeline:
    """Dots in the order of time, and a box for each test that runs."""

    dots: Sequence[TimelinePoint]
    boxes: Sequence[TimelineSpan]


def run_timeline(run: Run, now: datetime) -> RunTimeline:
    """The run's course up to now. A page asks again every few seconds, so thousands of results
    share the rows that they name, and bring the columns that are read.
    """
    rows = list(
        Figure.objects.filter(run=run, counts=True)
        .only(*NAMES, "operation", "at", *MAIN_METRICS, *FALLBACKS)
        .prefetch_related(*NAMES)
        .order_by("at", "pk")
    )
    began = run.started_at or (rows[0].at if rows else now)
    names = workload_names(row.workload for row in rows)
    dots = [dot for own in _by_test(rows) for dot in _dots(own, began, names)]
    return RunTimeline(sorted(dots, key=lambda dot: dot.seconds), list(_boxes(run, began, now)))


def _by_test(rows: Iterable[Figure]) -> Iterable[list[Figure]]:
    """The results of one operation of one test on one target, whatever the tuning."""
    found: dict[tuple[int, int, str], list[Figure]] = defaultdict(list)
    for row in rows:
        found[row.workload_id, row.run_target_id, row.operation].append(row)
    return found.values()


def _dots(
    rows: Sequence[Figure], began: datetime, names: Mapping[int, str]
) -> Iterable[TimelinePoint]:
    metric = _metric(rows)
    values = [getattr(row, metric) for row in rows]
    middle = median([value for value in values if value is not None] or [0.0])
    network = measures_network(rows[0].workload.tool)
    for row, value in zip(rows, values, strict=True):
        if value and middle:
            shown = figure(metric, value, network=network)
            label = f"{_test(row, names)} · {METRICS[metric].label} {shown}"
            yield TimelinePoint(_seconds(row.at, began), row.run_tuning.name, value / middle, label)


def _metric(rows: Sequence[Figure]) -> str:
    """The main metric, as a comparison has it, or the first that all of these results have."""
    first = rows[0]
    size = first.bandwidth / first.iops if first.bandwidth and first.iops else 0.0
    wanted = wanted_metric(size, first.workload.params)
    known = (name for name in (wanted, *FALLBACKS) if all(getattr(row, name) for row in rows))
    return next(known, wanted)


def _test(row: Figure, names: Mapping[int, str]) -> str:
    words = (names[row.workload_id], row.operation, row.run_target.name)
    return " · ".join(word for word in words if word)


def _boxes(run: Run, began: datetime, now: datetime) -> Iterable[TimelineSpan]:
    rows = Attempt.objects.filter(case__run=run, case__state=CaseState.RUNNING)
    rows = rows.filter(started_at__isnull=False, ended_at__isnull=True)
    running = list(rows.select_related("case__workload", "case__run_target", "case__run_tuning"))
    names = workload_names(attempt.case.workload for attempt in running)
    for attempt in running:
        case = attempt.case
        label = f"{names[case.workload_id]} · {case.target_words}"
        start = _seconds(attempt.started_at or now, began)
        yield TimelineSpan(start, max(start, _seconds(now, began)), case.tuning_name, label)


def _seconds(at: datetime, began: datetime) -> float:
    return max(0.0, (at - began).total_seconds())
