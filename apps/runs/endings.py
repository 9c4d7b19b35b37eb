"""The end of a run when none of its cases is left to do."""

from __future__ import annotations

from apps.runs.models import CaseState, Run, RunState

# The worst that happened to a case says what the run is.
_WORST = (
    (CaseState.UNPROVEN, RunState.LOST),
    (CaseState.LOST, RunState.LOST),
    (CaseState.FAILED, RunState.FAILED),
)


def ending_of(run: Run) -> tuple[RunState, str]:
    """Its final state and why. One query for each state that its cases may have ended in."""
    unproven = run.cases.filter(state=CaseState.UNPROVEN).count()
    if run.cancel_requested_at is not None:
        who = run.cancel_requested_by.username if run.cancel_requested_by else "somebody"
        rest = f"; of {unproven} cases the end is not proven" if unproven else ""
        return RunState.CANCELLED, f"cancelled by {who}{rest}"
    for of_case, of_run in _WORST:
        count = run.cases.filter(state=of_case).count()
        if count:
            return of_run, f"{count} of {run.case_count} cases {of_case.label}"
    return RunState.SUCCEEDED, ""
