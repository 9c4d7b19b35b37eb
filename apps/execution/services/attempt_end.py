"""End attempts: evaluate them, store their results, and file their cases."""

from __future__ import annotations

from django.utils import timezone

from apps.common.domain.messages import label
from apps.common.schemas.storable import cleaned
from apps.execution.domain.lease import RunLease
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.domain.preconditioning import NOTHING_LEFT
from apps.execution.selectors.preconditioning import resulting_state
from apps.execution.services.artifacts import ENDS
from apps.execution.services.attempts import fenced_attempt
from apps.execution.services.disk_state import disk_contents_store
from apps.execution.services.load_repeats import case_repeat
from apps.execution.services.outcomes import evaluate
from apps.execution.services.preconditioning import aging_decide, unprepared_close
from apps.results.services.attempt_results import device_view_store, results_store
from apps.results.services.costs import costs_store
from apps.results.services.disturbances import disturbance_store
from apps.results.services.summary_table import summaries_refresh
from apps.runs.models import (
    Attempt,
    AttemptJob,
    AttemptState,
    Case,
    CaseState,
    Run,
)
from apps.runs.selectors.interference import interference_warnings
from apps.runs.services.artifacts import attempt_files
from apps.runs.services.runs import event_record
from apps.runs.services.snapshot import untuned_run_tuning
from apps.runs.services.transitions import attempt_transition, case_transition
from apps.runs.services.versions import runs_touch
from apps.tools.messages import message

MAX_VERSION_LENGTH = 40


# Bytes of a file that is read in any case.
SMALL = 1 << 20


def attempt_publish(lease: RunLease, attempt: Attempt, unread: str = "") -> AttemptState:
    """Evaluate the stored files, store the measurements, and end the attempt.

    `unread`: the reason why its large files cannot be parsed; then only the small ones are read.
    """
    files = attempt_files(attempt, most=SMALL if unread else None)
    outcome = evaluate(attempt, files, unread)
    with fenced_attempt(lease, attempt) as run:
        attempt.invalid_reason = cleaned(outcome.invalid)
        attempt.background = outcome.background
        attempt.warnings = cleaned([*outcome.warnings, *interference_warnings(run)])
        if outcome.parsed is not None:
            attempt.tool_version = cleaned(outcome.parsed.version or "")[:MAX_VERSION_LENGTH]
            results_store(
                attempt=attempt,
                parsed=outcome.parsed,
                parser_version=outcome.parser_version,
                invalid_reason=attempt.invalid_reason,
            )
        device_view_store(attempt=attempt, files=files)
        costs_store(attempt=attempt, files=files, parsed=outcome.parsed)
        disturbance_store(attempt=attempt, parsed=outcome.parsed, files=files)
        attempt_end(run, attempt, outcome)
        runs_touch([run.pk])
        return outcome.state


def attempt_close(
    lease: RunLease, attempt: Attempt, outcome: AttemptOutcome, *, touched: bool
) -> None:
    """End an attempt without output: no host has a job of it.

    `touched`: a worker requested the start of one from a host.
    """
    with fenced_attempt(lease, attempt) as run:
        AttemptJob.objects.bulk_update(attempt.jobs.all(), ENDS)
        attempt_end(run, attempt, outcome, touched=touched)


def attempt_end(
    run: Run, attempt: Attempt, outcome: AttemptOutcome, *, touched: bool = True
) -> None:
    """Store the final state of an attempt, its case and its disks.

    `touched`: a job may have been started on a host, if its end does not tell.
    """
    left = resulting_state(attempt) if whole_success(outcome) else NOTHING_LEFT
    disk_contents_store(attempt, outcome.reason, touched=touched, left=left)
    attempt_transition(
        attempt,
        outcome.state,
        reason=cleaned(outcome.reason),
        failure_cause=outcome.failure_cause,
        valid=outcome.state == AttemptState.SUCCEEDED and not outcome.invalid,
        ended_at=attempt.ended_at or timezone.now(),
        contact_lost_since=None,
    )
    attempt.save(update_fields=["invalid_reason", "warnings", "tool_version", "background"])
    case = attempt.case
    if outcome.state == AttemptState.SUCCEEDED:
        _file(run, case, untuned=outcome.is_untuned)
    case_transition(
        case,
        CaseState(outcome.state.value),
        reason=cleaned(outcome.reason or outcome.invalid),
        failure_cause=outcome.failure_cause,
        run_tuning=case.run_tuning,
        requested_tuning=case.requested_tuning,
    )
    summaries_refresh([case.pk])
    if case.prepares and not whole_success(outcome):
        unprepared_close(run, case)
    elif case.prepares:
        aging_decide(run, case)
    state = label(CaseState(case.state).label)
    text = message("case %(number)d %(state)s", number=case.sequence + 1, state=state)
    why = message("%(what)s: %(why)s", what=text, why=case.reason) if case.reason else text
    event_record(run, "case", why, case=case)
    if outcome.may_repeat:
        case_repeat(run, case)


def whole_success(outcome: AttemptOutcome) -> bool:
    """Return True if the attempt succeeded and its result is valid."""
    return outcome.state == AttemptState.SUCCEEDED and not outcome.invalid


def _file(run: Run, case: Case, *, untuned: bool) -> None:
    """File the case under the tuning that was in effect."""
    planned = case.tuning_to_apply
    filed = untuned_run_tuning(run) if untuned else planned
    case.requested_tuning = None if filed == planned else planned
    case.run_tuning = filed
