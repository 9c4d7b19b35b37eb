"""Final state of a run."""

from __future__ import annotations

from apps.common.domain.messages import label
from apps.runs.models import CaseState, Run, RunState
from apps.tools.messages import join_messages, message

# The worst that happened to a case says what the run is.
_WORST = (
    (CaseState.UNCONFIRMED, RunState.LOST),
    (CaseState.LOST, RunState.LOST),
    (CaseState.FAILED, RunState.FAILED),
)


def ending_of(run: Run) -> tuple[RunState, str]:
    """Return the final state and its reason, with one query per state of its cases."""
    unconfirmed = run.cases.filter(state=CaseState.UNCONFIRMED).count()
    if run.cancel_requested_at is not None:
        who = run.cancel_requested_by.username if run.cancel_requested_by else "somebody"
        reason = message("cancelled by %(who)s", who=who)
        if unconfirmed:
            rest = message("of %(count)d cases the end is not proven", count=unconfirmed)
            return RunState.CANCELLED, join_messages(reason, rest)
        return RunState.CANCELLED, reason
    for of_case, of_run in _WORST:
        count = run.cases.filter(state=of_case).count()
        if count:
            return of_run, message(
                "%(count)d of %(total)d cases %(state)s",
                count=count,
                total=run.case_count,
                state=label(of_case.label),
            )
    return RunState.SUCCEEDED, ""
