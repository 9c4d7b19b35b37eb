"""Rows of a run's page: cases, running attempts, failures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from apps.common.domain.bursts import burst_meaning
from apps.common.domain.messages import localize_message
from apps.plans.selectors.workload_names import workload_name
from apps.runs.models import BAD_CASE, Attempt, AttemptState, CaseState, Run
from apps.runs.presenters.advice import advice, failure_cause_text
from apps.runs.presenters.case_reading import (
    METRICS,
    ShownAttempts,
    ShownCase,
    ShownFigures,
    WindowMaximum,
    attempts_of,
    cases_of,
    cases_without_contact,
    figures_of,
    window_maxima,
)
from apps.runs.selectors.earlier_medians import Medians, earlier_medians
from apps.runs.selectors.host_memory import memory_by_attempt
from apps.runs.selectors.unresponsive_hosts import contact_lost_since
from apps.tools.metrics import METRICS as METRICS_BY_KEY
from apps.tools.metrics import WINDOWED_SERIES, Metric
from apps.tools.registry import is_from_page_cache, is_warm
from apps.tools.workloads.order import operation_key

MAXIMA = tuple(
    METRICS_BY_KEY[f"{metric.key}_max_over_time"]
    for metric in METRICS
    if metric.key in WINDOWED_SERIES
)
"""Columns of a run's table that are off at first: the highest rates over windows."""
NEVER = ShownAttempts(0, None, True, "")
# What the agent is doing (docs/development/agent.md, phase).
PHASES = {
    "tuning": _lazy("applying the profile's settings"),
    "settling": _lazy("letting the host settle"),
    "ready": _lazy("ready, waiting for the other hosts"),
    "running": _lazy("measuring"),
    "restoring": _lazy("giving the settings back"),
}


@dataclass(frozen=True)
class CellLine:
    """Value of an operation in a metric's cell, with its maximum over intervals, if any."""

    metric: Metric
    value: float | None
    most: WindowMaximum | None

    @property
    def window_label(self) -> str:
        return (
            _("maximum in %(window)s s") % {"window": f"{self.most.window:g}"} if self.most else ""
        )

    @property
    def windows(self) -> str:
        """Return the number of windows, and the meaning of a maximum that is a burst."""
        if self.most is None:
            return ""
        number = _("of %(number)s windows") % {"number": f"{self.most.windows:,}"}
        meaning = burst_meaning(self.most.most, self.most.mean, self.most.stddev)
        return f"{number}; {meaning}" if meaning else number


@dataclass(frozen=True)
class CaseRow:
    """Case in a run's table, with the results of its last attempt.

    `label`: of its workload within the run. `found`: its operations; `cells`: by metric.
    `is_fine`: the case succeeded with valid results only.
    """

    case: ShownCase
    label: str
    attempts: int
    state: str
    why: str
    found: Sequence[ShownFigures]
    cells: Sequence[Sequence[CellLine]]
    is_fine: bool
    starts_group: bool

    @property
    def maxima(self) -> list[Sequence[CellLine]]:
        """Return the cells of the metrics with a maximum over windows, as in MAXIMA."""
        rates = [metric.key in WINDOWED_SERIES for metric in METRICS]
        return [cell for cell, is_rate in zip(self.cells, rates, strict=True) if is_rate]


@dataclass(frozen=True)
class NowRow:
    """Running attempt. `unresponsive_since`: start of the lost contact with its host.

    `medians`: of the earlier repeats of its case.
    """

    attempt: Attempt
    label: str
    unresponsive_since: datetime | None
    medians: Medians

    @property
    def state(self) -> str:
        return "unknown" if self.unresponsive_since else "running"

    @property
    def medians_json(self) -> str:
        return json.dumps(self.medians)

    @property
    def doing(self) -> str:
        """Return the current phase as text."""
        if self.attempt.state == AttemptState.RUNNING and self.attempt.phase in PHASES:
            return str(PHASES[self.attempt.phase])
        return str(self.attempt.get_state_display())

    @property
    def doing_for(self) -> float | None:
        """Return the seconds since the start of the phase, if known."""
        since = self.attempt.phase_since
        if since is None or self.attempt.state != AttemptState.RUNNING:
            return None
        return max(0.0, (timezone.now() - since).total_seconds())


def case_rows(keys: Sequence[int], labels: Mapping[int, str]) -> list[CaseRow]:
    """Return the rows of cases in the order of their keys. `labels`: by workload id."""
    cases, attempts, figures = cases_of(keys), attempts_of(keys), figures_of(keys)
    most = window_maxima(keys)
    without_contact = cases_without_contact(cases)
    figures = _with_page_cache(cases, attempts, figures)
    rows: list[CaseRow] = []
    group = None
    for case in cases:
        tried = attempts.get(case.pk, NEVER)
        state = "unknown" if case.pk in without_contact else _state(case, tried)
        result = figures.get(tried.last, [])
        result.sort(key=lambda one: operation_key(case.tool, one.operation))
        rows.append(
            CaseRow(
                case,
                label=labels.get(case.workload_id) or case.workload_name,
                attempts=tried.number,
                state=state,
                why=_why(case, tried),
                found=result,
                cells=_cells(result, most, tried.last),
                is_fine=state == CaseState.SUCCEEDED and all(one.valid for one in result),
                starts_group=group != case.alike,
            )
        )
        group = case.alike
    return rows


def _with_page_cache(
    cases: Sequence[ShownCase],
    attempts: Mapping[int, ShownAttempts],
    figures: Mapping[object, list[ShownFigures]],
) -> dict[object, list[ShownFigures]]:
    """Return the results by attempt, marked where they come from the page cache."""
    case_by_attempt = {attempts[case.pk].last: case for case in cases if case.pk in attempts}
    warm = {
        attempt
        for attempt, case in case_by_attempt.items()
        if any(is_warm(case.tool, one.operation) for one in figures.get(attempt, ()))
    }
    memory = memory_by_attempt(warm)
    return {
        attempt: [
            one._replace(
                is_cached=is_from_page_cache(
                    case.tool, one.operation, case.params, memory.get(attempt)
                )
            )
            for one in figures.get(attempt, ())
        ]
        for attempt, case in case_by_attempt.items()
    }


def _cells(
    result: Sequence[ShownFigures], most: Mapping[Any, WindowMaximum], attempt: object
) -> list[list[CellLine]]:
    """Return a cell per metric, with a line per operation."""
    return [
        [
            CellLine(metric, one.figures[column], most.get((attempt, one.operation, metric.key)))
            for one in result
        ]
        for column, metric in enumerate(METRICS)
    ]


def _state(case: ShownCase, tried: ShownAttempts) -> str:
    return "invalid" if case.state == CaseState.SUCCEEDED and not tried.valid else case.state


def _why(case: ShownCase, tried: ShownAttempts) -> str:
    parts = [
        localize_message(case.reason or tried.invalid_reason),
        failure_cause_text(case.failure_cause),
    ]
    return " – ".join(part for part in parts if part)


def now_rows(attempts: Iterable[Attempt], labels: Mapping[int, str]) -> list[NowRow]:
    """Return the rows of running attempts."""
    return [
        NowRow(
            one,
            labels.get(one.case.workload_id) or workload_name(one.case.workload),
            contact_lost_since(one),
            earlier_medians(one.case),
        )
        for one in attempts
    ]


def failure_rows(run: Run) -> list[tuple[str, str, str, int]]:
    """Return (reason, failure cause, advice, cases) of a run's failures, most frequent first."""
    tally: dict[tuple[str, str, str], int] = {}
    bad = run.cases.filter(state__in=BAD_CASE)
    for state, reason, failure_cause in bad.values_list("state", "reason", "failure_cause")[:2_000]:
        mark = (reason, failure_cause_text(failure_cause), advice(state, failure_cause))
        tally[mark] = tally.get(mark, 0) + 1
    ordered = sorted(tally.items(), key=lambda item: -item[1])[:5]
    return [(*mark, number) for mark, number in ordered]
