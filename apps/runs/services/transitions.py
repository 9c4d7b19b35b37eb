"""Allowed state transitions of runs, cases and attempts; the only functions that write a state.

Each UPDATE filters by the previous states, so a stale writer changes nothing. States only go
forward, except for retries and added repeats.
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
        RunState.QUEUED,  # a pause between blocks
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
    """The current state does not allow the new one; nothing was written."""


def run_transition(run: Run, state: RunState, **fields: Any) -> None:
    """Write the state and other fields of a run.

    Raises:
        InvalidTransition: see there.
    """
    _transition(run, RUN_NEXT, state, fields)


def case_transition(case: Case, state: CaseState, **fields: Any) -> None:
    """Write the state and other fields of a case.

    Raises:
        InvalidTransition: see there.
    """
    _transition(case, CASE_NEXT, state, fields)


def attempt_transition(attempt: Attempt, state: AttemptState, **fields: Any) -> None:
    """Write the state and other fields of an attempt.

    Raises:
        InvalidTransition: see there.
    """
    _transition(attempt, ATTEMPT_NEXT, state, fields)


def cases_transition(cases: QuerySet[Case], state: CaseState, **fields: Any) -> int:
    """Write the state of the cases that allow it. Return their number."""
    return cases.filter(state__in=_before(CASE_NEXT, state)).update(state=state, **fields)


def preconditioning_reset(cases: QuerySet[Case]) -> int:
    """Reset successful preconditioning cases to *pending*, as new measurements need them again.

    Returns their number. No other successful case goes back.
    """
    done = cases.filter(purpose=Purpose.PRECONDITION)
    fields = {"state": CaseState.PENDING, "reason": "", "failure_cause": ""}
    return done.filter(state__in=[CaseState.SUCCEEDED, CaseState.SKIPPED]).update(**fields)


def _before(table: Table, state: str) -> list[str]:
    return [before for before, after in table.items() if state in after]


def _transition(row: Model, table: Table, state: str, fields: Mapping[str, Any]) -> None:
    """Write a state; it may stay the same, as steps are repeated after a crash."""
    values = {"state": state, **fields}
    rows = type(row)._default_manager.filter(pk=row.pk)
    if not rows.filter(state__in=[*_before(table, state), state]).update(**values):
        raise InvalidTransition(f"{type(row).__name__} {row.pk} cannot become {state}")
    for name, value in values.items():
        setattr(row, name, value)
