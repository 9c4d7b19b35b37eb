"""Write the end of a run, and of cases that are not tried."""

from __future__ import annotations

from collections.abc import Collection

from apps.execution.domain.lease import RunLease
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.services.attempt_end import attempt_end
from apps.results.services.summary_table import summaries_refresh
from apps.runs.models import (
    FINAL_ATTEMPT,
    Attempt,
    AttemptState,
    CaseState,
    FailureCause,
    Purpose,
    RunState,
)
from apps.runs.selectors.endings import ending_of
from apps.runs.selectors.participation import cases_using_hosts
from apps.runs.services.abandonment import abandoned_by_benchlab
from apps.runs.services.leases import fenced
from apps.runs.services.runs import cases_words, event_record, run_finish
from apps.runs.services.stopping_rules import RuleOutcome, decision_store
from apps.runs.services.transitions import cases_transition
from apps.runs.services.versions import runs_touch
from apps.tools.messages import message


def run_abort(lease: RunLease, reason: str, unresponsive: Collection[int] = ()) -> None:
    """End a run that a defect of benchlab stops again and again.

    Jobs on the `unresponsive` hosts could not be ended; what they use there stays claimed.
    """
    with fenced(lease.run_id, lease.fence) as run:
        for case in run.cases.filter(state=CaseState.RUNNING):
            for attempt in case.attempts.exclude(state__in=FINAL_ATTEMPT):
                abandoned_by_benchlab(run, attempt, set(case.host_ids) & set(unresponsive), reason)
                attempt_end(
                    run, attempt, AttemptOutcome(AttemptState.FAILED, reason, FailureCause.BENCHLAB)
                )
        rest = run.cases.filter(state__in=[CaseState.PENDING, CaseState.RUNNING])
        cases_transition(rest, CaseState.FAILED, reason=reason, failure_cause=FailureCause.BENCHLAB)
        run_finish(run, RunState.FAILED, reason)
        runs_touch([run.pk])


def cases_abort(lease: RunLease, host_id: int, reason: str) -> None:
    """Fail the pending cases of an unusable host at once, instead of one timeout each."""
    with fenced(lease.run_id, lease.fence) as run:
        rest = run.cases.filter(cases_using_hosts([host_id]), state=CaseState.PENDING)
        count = cases_transition(
            rest, CaseState.FAILED, reason=reason, failure_cause=FailureCause.HOST
        )
        if count:
            text = message("%(cases)s not tried: %(why)s", cases=cases_words(count), why=reason)
            event_record(run, "host", text)


def run_close(lease: RunLease) -> str:
    """End a run without open cases; return its state."""
    with fenced(lease.run_id, lease.fence) as run:
        states = set(run.cases.values_list("state", flat=True))
        open_states = {CaseState.PENDING, CaseState.RUNNING} & states
        if open_states and run.cancel_requested_at is None:
            return run.state
        run_finish(run, *ending_of(run))
        runs_touch([run.pk])
        return run.state


def run_go_on(lease: RunLease, outcome: RuleOutcome) -> bool:
    """Store the decision of the run's stopping rules; return True if cases are left."""
    with fenced(lease.run_id, lease.fence) as run:
        more = decision_store(run, outcome)
        settling = run.cases.filter(purpose=Purpose.TRANSITION)
        summaries_refresh(settling.values_list("pk", flat=True))
        runs_touch([run.pk])
        return more


def case_end_unconfirmed(lease: RunLease, case_id: int, reason: str) -> None:
    """End the attempts of a case whose host sends invalid answers or no files.

    An attempt that its host did not report as ended is unconfirmed: what it uses stays claimed
    until the host confirms the end.
    """
    with fenced(lease.run_id, lease.fence) as run:
        attempts = Attempt.objects.filter(case=case_id).exclude(state__in=FINAL_ATTEMPT)
        for attempt in attempts.select_related("case"):
            state = AttemptState.FAILED
            if attempt.state not in (AttemptState.COLLECTING, AttemptState.PARSING):
                abandoned_by_benchlab(run, attempt, attempt.case.host_ids, reason)
                state = AttemptState.UNCONFIRMED
            attempt_end(run, attempt, AttemptOutcome(state, reason, FailureCause.HOST))
        runs_touch([run.pk])
