"""The one table of the states that may follow each other, for runs, cases and attempts. Every write
goes through it, and the database holds to it as well (migration `states_go_forward`).

States only go forward; a retry is the one door back, and opens a new attempt. A run goes back for a
retry and for repeats that are added to it.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from apps.runs.models import AttemptState, Case, CaseState, Purpose, RunState
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
        CaseState.UNPROVEN,
    },
    CaseState.FAILED: _RETRY,
    CaseState.CANCELLED: _RETRY,
    CaseState.LOST: _RETRY,
    CaseState.UNPROVEN: _RETRY,
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


class BackwardStep(Exception):
    """A write tried to take a state where it may not go: a bug of ours, never stored."""


def attempt_step(current: str, wanted: str) -> str:
    """`wanted`, if an attempt in `current` may go there (staying is allowed: steps are repeated
    after a crash).
    """
    return _step("an attempt", ATTEMPT_NEXT, current, wanted)


def case_step(current: str, wanted: str) -> str:
    """`wanted`, if a case in `current` may go there."""
    return _step("a case", CASE_NEXT, current, wanted)


def run_step(current: str, wanted: str) -> str:
    """`wanted`, if a run in `current` may go there."""
    return _step("a run", RUN_NEXT, current, wanted)


def cases_step(cases: QuerySet[Case], wanted: CaseState, **fields: Any) -> int:
    """Take those of the cases that may go there to `wanted`; how many there were."""
    before = [state for state, after in CASE_NEXT.items() if wanted in after]
    return cases.filter(state__in=before).update(state=wanted, **fields)


def preparations_again(cases: QuerySet[Case]) -> int:
    """Take preparations that succeeded back to *pending*: whatever is measured next needs them
    again. The database lets no other case go back from a success. How many there were.
    """
    done = cases.filter(purpose=Purpose.PREPARE)
    fields = {"state": CaseState.PENDING, "reason": "", "fault": ""}
    return done.filter(state__in=[CaseState.SUCCEEDED, CaseState.SKIPPED]).update(**fields)


def _step(what: str, table: Table, current: str, wanted: str) -> str:
    if wanted != current and wanted not in table.get(current, set()):
        raise BackwardStep(f"{what} cannot go from {current} to {wanted}")
    return wanted
