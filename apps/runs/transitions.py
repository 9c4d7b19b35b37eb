"""Which state may follow which. States only go forward; a retry is the one door back, and opens a
new attempt.
"""

from __future__ import annotations

from apps.runs.models import FINAL_ATTEMPT, FINAL_CASE, AttemptState, CaseState, RunState

_ENDINGS: set[str] = set(FINAL_ATTEMPT)
_CASE_ENDINGS: set[str] = set(FINAL_CASE)

ATTEMPT_NEXT: dict[str, set[str]] = {
    AttemptState.CLAIMED: {AttemptState.PREFLIGHT, *_ENDINGS},
    AttemptState.PREFLIGHT: {AttemptState.RUNNING, *_ENDINGS},
    AttemptState.RUNNING: {AttemptState.COLLECTING, *_ENDINGS},
    AttemptState.COLLECTING: {AttemptState.PARSING, *_ENDINGS},
    AttemptState.PARSING: {*_ENDINGS},
}

CASE_NEXT: dict[str, set[str]] = {
    # Without an attempt there is nothing to prove.
    CaseState.PENDING: {CaseState.RUNNING, *_CASE_ENDINGS} - {CaseState.UNPROVEN},
    CaseState.RUNNING: {*_CASE_ENDINGS},
}

RUN_NEXT: dict[str, set[str]] = {
    RunState.QUEUED: {RunState.RUNNING, RunState.CANCELLED, RunState.FAILED},
    RunState.RUNNING: {
        RunState.SUCCEEDED,
        RunState.FAILED,
        RunState.CANCELLED,
        RunState.LOST,
    },
}


class BackwardStep(Exception):
    """A write tried to take a state back, or out of an ending: a bug of ours, never stored."""


def attempt_step(current: str, wanted: str) -> str:
    """`wanted`, if an attempt in `current` may go there (staying is allowed: steps are repeated
    after a crash).
    """
    if wanted != current and wanted not in ATTEMPT_NEXT.get(current, set()):
        raise BackwardStep(f"an attempt cannot go from {current} to {wanted}")
    return wanted


def case_step(current: str, wanted: str) -> str:
    """`wanted`, if a case in `current` may go there."""
    if wanted != current and wanted not in CASE_NEXT.get(current, set()):
        raise BackwardStep(f"a case cannot go from {current} to {wanted}")
    return wanted


def run_step(current: str, wanted: str) -> str:
    """`wanted`, if a run in `current` may go there."""
    if wanted != current and wanted not in RUN_NEXT.get(current, set()):
        raise BackwardStep(f"a run cannot go from {current} to {wanted}")
    return wanted
