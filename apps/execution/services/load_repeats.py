"""Measure a case again whose background load failed, as a retry by hand does."""

from __future__ import annotations

from apps.runs.models import Case, CaseState, Run
from apps.runs.services.runs import event_record
from apps.runs.services.transitions import case_transition
from apps.tools.messages import message

MAX_ATTEMPTS = 3
"""Attempts at a case since its run was queued; each one writes again."""


def case_repeat(run: Run, case: Case) -> None:
    """Make a failed case pending, so that its worker makes another attempt, up to a limit.

    The failed attempt stays as it is. A cancelled run ends, and one that disturbs its cluster does
    that once for each case.
    """
    made = case.attempts.filter(created_at__gte=run.waiting_since).count()
    if run.cancel_requested_at is not None or run.spec.disturbance or made >= MAX_ATTEMPTS:
        return
    case_transition(case, CaseState.PENDING, reason="", failure_cause="")
    text = message(
        "case %(number)d is measured again, as its background load failed: "
        "attempt %(next)d of at most %(most)d",
        number=case.sequence + 1,
        next=made + 1,
        most=MAX_ATTEMPTS,
    )
    event_record(run, "repeat", text, case=case)
