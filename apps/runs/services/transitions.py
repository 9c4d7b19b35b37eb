"""The states that may follow each other, for runs, cases and attempts, and the only functions that
write one. Each names the states before it in its UPDATE, so a stale writer changes nothing.

States only go forward; a retry is the one door back, and opens a new attempt. A run goes back for a
retry and for repeats that are added to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Model, QuerySet

from apps.runs.models import Attempt, AttemptState, Case, CaseState, Purpose, Run, RunState
from apps.runs.models.states import BAD_ATTEMPT

Table = dict[str, set[str]]

_ENDINGS: set[str] = set(BAD_ATTEMPT)
_RETRY: set[str] = {CaseState.PENDING}
_AGAIN: set[str] = {RunState.QUEUED}

ATTEMPT_NEXT: Table = {
    AttemptState.CLAIMED: {AttemptState.PREFLIGHT, *_ENDINGS},
    AttemptState.PREFLIGHT: {AttemptState.RUNNING, *_ENDINGS},
    AttemptState.RUNNING: {AttemptState.COLLECTING, *_ENDINGS},
    AttemptState.COLLECTING: {AttemptState.PARSING, *_ENDINGS},
    # Only what was read can be a success.
    AttemptState.PARSING: {AttemptState.SUCCEEDED, *_ENDINGS},
}

CASE_NEXT: Table = {
    # Without an attempt there is nothing to prove, to lose or to have.
    CaseState.PENDING: {
        CaseState.RUNNING,
        CaseState.FAILED,
        CaseState.CANCELLED,
        CaseState.SKIPPED,
    },
    CaseState.RUNNING: {
        CaseState.SUCCEEDED,
        CaseState.FAILED,
        CaseState.CANCELLED,
        CaseState.LOST,
        CaseState.UNCONFIRMED,
    },
    CaseState.FAILED: _RETRY,
    CaseState.CANCELLED: _RETRY,
    CaseState.LOST: _RETRY,
    CaseState.UNCONFIRMED: _RETRY,
    CaseState.SKIPPED: _RETRY,
}

RUN_NEXT: Table = {
    RunState.QUEUED: {RunState.RUNNING, RunState.CANCELLED, RunState.FAILED},
    RunState.RUNNING: {
        RunState.SUCCEEDED,
        RunState.FAILED,
        RunState.CANCELLED,
        RunState.LOST,
    },
    # Repeats may be added to what succeeded.
    RunState.SUCCEEDED: _AGAIN,
    RunState.FAILED: _AGAIN,
    RunState.CANCELLED: _AGAIN,
    RunState.LOST: _AGAIN,
}


class InvalidTransition(Exception):
    """A write of a state that may not follow the one in the database: nothing was written."""


def run_transition(run: Run, state: RunState, **fields: Any) -> None:
    """Write a run's state and these fields. Raises InvalidTransition."""
    _transition(run, RUN_NEXT, state, fields)


def case_transition(case: Case, state: CaseState, **fields: Any) -> None:
    """Write a case's state and these fields. Raises InvalidTransition."""
    _transition(case, CASE_NEXT, state, fields)


def attempt_transition(attempt: Attempt, state: AttemptState, **fields: Any) -> None:
    """Write an attempt's state and these fields. Raises InvalidTransition."""
    _transition(attempt, ATTEMPT_NEXT, state, fields)


def cases_transition(cases: QuerySet[Case], state: CaseState, **fields: Any) -> int:
    """Write the state of those cases that may have it next. Return how many there were."""
    return cases.filter(state__in=_before(CASE_NEXT, state)).update(state=state, **fields)


def preparations_again(cases: QuerySet[Case]) -> int:
    """Take preparations that succeeded back to *pending*: whatever is measured next needs them
    again. No other case goes back from a success. Return how many there were.
    """
    done = cases.filter(purpose=Purpose.PRECONDITION)
    fields = {"state": CaseState.PENDING, "reason": "", "failure_cause": ""}
    return done.filter(state__in=[CaseState.SUCCEEDED, CaseState.SKIPPED]).update(**fields)


def _before(table: Table, state: str) -> list[str]:
    return [before for before, after in table.items() if state in after]


def _transition(row: Model, table: Table, state: str, fields: Mapping[str, Any]) -> None:
    """The state may also stay as it is: steps are repeated after a crash."""
    values = {"state": state, **fields}
    rows = type(row)._default_manager.filter(pk=row.pk)
    if not rows.filter(state__in=[*_before(table, state), state]).update(**values):
        raise InvalidTransition(f"{type(row).__name__} {row.pk} cannot become {state}")
    for name, value in values.items():
        setattr(row, name, value)
