"""Write the effects of preconditioning on the other cases of a run."""

from __future__ import annotations

from collections.abc import Sequence

from apps.execution.domain.lease import RunLease
from apps.execution.selectors.preconditioning import (
    DiskInState,
    aging_values,
    is_aging,
    preconditioning_cases,
)
from apps.runs.models import Case, CaseState, Run
from apps.runs.services.leases import fenced
from apps.runs.services.runs import event_record
from apps.runs.services.transitions import cases_transition
from apps.stats.steady_state import steady_window
from apps.tools.messages import message


def aging_decide(run: Run, case: Case) -> None:
    """Skip the remaining rounds of aging if the last five are steady; log how aging ended."""
    if not is_aging(case):
        return
    values = aging_values(case)
    rest = preconditioning_cases(case).filter(sequence__gt=case.sequence)
    target = case.target_words
    last = steady_window([values])
    if last is not None:
        why = message("steady after round %(number)d", number=last)
        cases_transition(rest, CaseState.SKIPPED, reason=why)
    elif rest.filter(state=CaseState.PENDING).exists():
        return
    else:
        why = message("not steady in %(number)d rounds", number=len(values))
    text = message("aging of %(target)s: %(what)s", target=target, what=why)
    event_record(run, "rule", text, case=case)


def unprepared_close(run: Run, case: Case) -> None:
    """End the pending cases of a target whose disk could not be preconditioned."""
    rest = run.cases.filter(run_target=case.run_target_id, state=CaseState.PENDING)
    why = message("the disk could not be prepared: %(why)s", why=case.reason)
    if case.state == CaseState.CANCELLED:
        cases_transition(rest, CaseState.CANCELLED, reason=case.reason)
    else:
        cases_transition(rest, CaseState.FAILED, reason=why, failure_cause=case.failure_cause)


def case_skip(lease: RunLease, case_id: int, known: Sequence[DiskInState]) -> None:
    """Skip a case whose disks are already in the state that it would bring them into."""
    since = min(one.preconditioning.at for one in known)
    runs = ", ".join(f"#{pk}" for pk in sorted({one.preconditioning.run for one in known}))
    why = message(
        "the disk is known to be in this state since %(when)s UTC, by run %(runs)s; samples of it "
        "were compared",
        when=f"{since:%Y-%m-%d %H:%M}",
        runs=runs,
    )
    with fenced(lease.run_id, lease.fence) as run:
        if cases_transition(run.cases.filter(pk=case_id), CaseState.SKIPPED, reason=why):
            case = run.cases.get(pk=case_id)
            number = case.sequence + 1
            text = message("case %(number)d is not needed: %(why)s", number=number, why=why)
            event_record(run, "case", text, case=case)
