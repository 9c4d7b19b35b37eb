"""Cases and attempts of a run as rows of its page: the table, what runs now, what went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _lazy

from apps.common.stored.sentences import said
from apps.runs.models import BAD_CASE, Attempt, AttemptState, Case, CaseState, Run
from apps.runs.pages.advice import advice, fault_words
from apps.runs.selectors import contact_lost_since
from apps.tools.workloads.order import operation_key

# What the agent is doing (docs/development/agent.md, phase).
PHASES = {
    "tuning": _lazy("lending the tuning's settings"),
    "settling": _lazy("letting the host settle"),
    "ready": _lazy("ready, waiting for the other hosts"),
    "running": _lazy("measuring"),
    "restoring": _lazy("giving the settings back"),
}


@dataclass(frozen=True)
class CaseRow:
    """A case in a run's table. `label` names its workload among the run's; `figures` are the
    measurements of its last attempt."""

    case: Case
    label: str
    attempts: int
    state: str
    why: str
    figures: list[Any]
    starts_group: bool


@dataclass(frozen=True)
class NowRow:
    """An attempt that is being executed. `unknown_since`: nothing was heard from its host since
    then.
    """

    attempt: Attempt
    label: str
    unknown_since: datetime | None

    @property
    def state(self) -> str:
        return "unknown" if self.unknown_since else "running"

    @property
    def doing(self) -> str:
        """The act of the host just now, in words."""
        if self.attempt.state == AttemptState.RUNNING and self.attempt.phase in PHASES:
            return str(PHASES[self.attempt.phase])
        return str(self.attempt.get_state_display())

    @property
    def doing_for(self) -> float | None:
        """Seconds since that began, as far as it is known."""
        since = self.attempt.phase_since
        if since is None or self.attempt.state != AttemptState.RUNNING:
            return None
        return max(0.0, (timezone.now() - since).total_seconds())


def case_rows(cases: Iterable[Case], labels: Mapping[int, str]) -> list[CaseRow]:
    """Rows of `cases_shown`. `labels`: what workloads are called here, by id."""
    rows: list[CaseRow] = []
    group = None
    for case in cases:
        last = max(case.attempts.all(), key=lambda attempt: attempt.number, default=None)
        found = [row for row in _measured(case) if last is not None and row.attempt_id == last.pk]
        rows.append(
            CaseRow(
                case,
                label=labels.get(case.workload_id, case.workload.label),
                attempts=len(case.attempts.all()),
                state=_state(case, last),
                why=_why(case, last),
                figures=sorted(found, key=lambda row: operation_key(case.tool, row.operation)),
                starts_group=group != _group(case),
            )
        )
        group = _group(case)
    return rows


def _measured(case: Case) -> list[Any]:
    # Results are an app above this one; it is met through the relation only.
    measured: Any = case
    return [row for row in measured.measurements.all() if not row.part]


def _group(case: Case) -> tuple[Any, ...]:
    return (case.step_name, case.workload_id, case.run_target_id)


def _state(case: Case, last: Attempt | None) -> str:
    if case.state == CaseState.SUCCEEDED and last is not None and not last.valid:
        return "invalid"
    if case.state == CaseState.RUNNING and last is not None and contact_lost_since(last):
        return "unknown"
    return case.state


def _why(case: Case, last: Attempt | None) -> str:
    parts = [said(case.reason or (last.invalid_reason if last else "")), fault_words(case.fault)]
    return " – ".join(part for part in parts if part)


def now_rows(attempts: Iterable[Attempt], labels: Mapping[int, str]) -> list[NowRow]:
    """Attempts that run now, host by host."""
    return [
        NowRow(
            one,
            labels.get(one.case.workload_id, one.case.workload.label),
            contact_lost_since(one),
        )
        for one in attempts
    ]


def fault_rows(run: Run) -> list[tuple[str, str, str, int]]:
    """(reason, whose fault, what to do, cases) for what went wrong in a run, the most frequent
    first. One query.
    """
    tally: dict[tuple[str, str, str], int] = {}
    bad = run.cases.filter(state__in=BAD_CASE)
    for state, reason, fault in bad.values_list("state", "reason", "fault")[:2_000]:
        mark = (reason, fault_words(fault), advice(state, fault))
        tally[mark] = tally.get(mark, 0) + 1
    ordered = sorted(tally.items(), key=lambda item: -item[1])[:5]
    return [(*mark, number) for mark, number in ordered]
