"""Columns of the table of cases: one query each for cases, attempts and results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from apps.plans.domain.workload_labels import Labelled, is_buffered, names_with_tools
from apps.runs.models import Attempt, Case, CaseState, Purpose
from apps.runs.selectors.unresponsive_hosts import contact_lost_since
from apps.tools.metrics import metrics_on
from apps.tools.registry import measures_network
from apps.tools.values import Parameters

METRICS = metrics_on("cases")
RATES = ("iops", "bandwidth")
"""All of them are columns of a measurement."""


class ShownCase(NamedTuple):
    """Columns of a case and of the rows it shares."""

    pk: int
    sequence: int
    repeat: int
    state: str
    reason: str
    failure_cause: str
    purpose: str
    step_name: str
    workload_id: int
    run_target_id: int
    tuning_name: str
    target_words: str
    tool: str
    label: str
    params: Parameters

    @property
    def workload_name(self) -> str:
        """Return the name of the workload in the reader's language."""
        return names_with_tools({0: Labelled(self.tool, self.params, self.label)})[0]

    @property
    def is_buffered(self) -> bool:
        """Return True if the test is known to use the page cache."""
        return is_buffered(self.tool, self.params)

    @property
    def is_network(self) -> bool:
        """Return True if the tool measures a network, whose rates are shown in two units."""
        return measures_network(self.tool)

    @property
    def alike(self) -> tuple[str, int, int]:
        """Return the columns that are equal in a group."""
        return self.step_name, self.workload_id, self.run_target_id

    @property
    def prepares(self) -> bool:
        """Return True for a preconditioning case."""
        return self.purpose == Purpose.PRECONDITION


class ShownAttempts(NamedTuple):
    """Number of attempts of a case, and its last attempt."""

    number: int
    last: object
    valid: bool
    invalid_reason: str


class ShownFigures(NamedTuple):
    """Result of one operation of an attempt, with values in the order of METRICS.

    `is_cached`: known to come from the page cache of the host.
    """

    operation: str
    valid: bool
    figures: tuple[float | None, ...]
    is_cached: bool = False


COLUMNS = (
    *ShownCase._fields[:10],
    *("run_tuning__name", "run_target__name"),
    *("workload__tool", "workload__label", "workload__params"),
)


def cases_of(keys: Sequence[int]) -> list[ShownCase]:
    """Return the cases in the order of their keys."""
    rows = Case.objects.order_by().filter(pk__in=keys).values_list(*COLUMNS)
    result = {row[0]: ShownCase(*row) for row in rows}
    return [result[key] for key in keys]


def attempts_of(keys: Sequence[int]) -> dict[int, ShownAttempts]:
    """Return the attempts by case."""
    columns = ("case_id", "pk", "valid", "invalid_reason")
    rows = Attempt.objects.filter(case__in=keys).order_by("number").values_list(*columns)
    result: dict[int, ShownAttempts] = {}
    for case, *last in rows:
        before = result[case].number if case in result else 0
        result[case] = ShownAttempts(before + 1, *last)
    return result


def figures_of(keys: Sequence[int]) -> dict[object, list[ShownFigures]]:
    """Return the results of whole measurements by attempt."""
    # Results are an app above this one; it is met through the relation only.
    names = ("attempt_id", "operation", "valid", *(metric.key for metric in METRICS))
    wholes: Any = Case.objects.order_by().filter(pk__in=keys, measurements__component="")
    result: dict[object, list[ShownFigures]] = defaultdict(list)
    for attempt, operation, valid, *figures in wholes.values_list(
        *(f"measurements__{name}" for name in names)
    ):
        result[attempt].append(ShownFigures(operation, valid, tuple(figures)))
    return result


class WindowMaximum(NamedTuple):
    """Maximum, mean and deviation of a metric over the intervals of a series.

    `window`: length of an interval in seconds; `windows`: number of intervals.
    """

    most: float
    window: float
    windows: int
    mean: float | None
    stddev: float | None


def window_maxima(keys: Sequence[int]) -> dict[tuple[object, str, str], WindowMaximum]:
    """Return the maxima by attempt, operation and metric, of whole measurements."""
    series: Any = Case.objects.order_by().filter(
        pk__in=keys,
        attempts__series__source="tool",
        attempts__series__component="",
        attempts__series__metric__in=[metric.key for metric in METRICS if metric.key in RATES],
        attempts__series__value_count__gt=0,
    )
    names = ("pk", "series__subject", "series__metric")
    figures = (
        *("series__maximum", "series__interval", "series__value_count"),
        *("series__mean", "series__stddev"),
    )
    rows = series.values_list(*(f"attempts__{name}" for name in (*names, *figures)))
    return {tuple(row[:3]): WindowMaximum(*row[3:]) for row in rows}


def cases_without_contact(cases: Sequence[ShownCase]) -> set[int]:
    """Return the ids of running cases without contact to their hosts."""
    keys = [case.pk for case in cases if case.state == CaseState.RUNNING]
    if not keys:
        return set()
    columns = ("case", "number", "state", "contact_at", "contact_lost_since")
    attempts = Attempt.objects.filter(case__in=keys).order_by("number").only(*columns)
    last = {attempt.case_id: attempt for attempt in attempts}
    return {case for case, attempt in last.items() if contact_lost_since(attempt)}
