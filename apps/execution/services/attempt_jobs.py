"""Write the state of an attempt's jobs."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from apps.execution.domain.lease import RunLease
from apps.execution.jobs.participants import participants_of
from apps.execution.jobs.spec import procedure_of
from apps.execution.services.attempts import fenced_attempt
from apps.plans.services.durations import case_time_record
from apps.runs.models import (
    STARTED_ATTEMPT,
    Attempt,
    AttemptJob,
    AttemptState,
)
from apps.runs.services.leases import fenced
from apps.runs.services.transitions import attempt_transition
from apps.tools.errors import ParamsError


def jobs_launched(lease: RunLease, attempt: Attempt, jobs: Sequence[AttemptJob]) -> None:
    """Store that the hosts have started these jobs: the attempt is running."""
    with fenced_attempt(lease, attempt):
        for job in jobs:
            job.launched = True
        AttemptJob.objects.filter(pk__in=[job.pk for job in jobs]).update(launched=True)
        if attempt.state not in STARTED_ATTEMPT:
            attempt_transition(attempt, AttemptState.RUNNING)
        attempt.contact_at, attempt.contact_lost_since = timezone.now(), None
        attempt.save(update_fields=["contact_at", "contact_lost_since"])


def jobs_note(lease: RunLease, attempt: Attempt, fields: Sequence[str]) -> None:
    """Store these fields of the attempt's jobs."""
    with fenced_attempt(lease, attempt):
        AttemptJob.objects.bulk_update(attempt.jobs.all(), fields)


def jobs_cleared(lease: RunLease, attempt: Attempt) -> None:
    """Store which jobs were deleted on their hosts; the attempt is cleared when all are."""
    with fenced(lease.run_id, lease.fence):
        gone = [job.pk for job in attempt.jobs.all() if job.removed_from_host]
        AttemptJob.objects.filter(pk__in=gone).update(removed_from_host=True)
        if all(job.removed_from_host for job in attempt.jobs.all()):
            attempt.host_files_removed_at = timezone.now()
            attempt.save(update_fields=["host_files_removed_at"])
            _time_record(attempt)


def _time_record(attempt: Attempt) -> None:
    """Store the duration of the case, for the expected time of later ones.

    Cases in a row share restarts of daemons, so that none of them shows what they take.
    """
    case, cleared_at = attempt.case, attempt.host_files_removed_at
    if attempt.state != AttemptState.SUCCEEDED or cleared_at is None:
        return
    if any(job.spans_stages for job in attempt.jobs.all()):
        return
    try:
        planned = max(
            procedure_of(case, participant).seconds for participant in participants_of(case)
        )
    except ParamsError:
        return  # the plugin no longer accepts these parameters
    load_seconds = case.background.settle_seconds if case.background else 0.0
    case_time_record(
        host_id=case.host_id,
        workload=case.workload,
        tuning=case.tuning_name,
        planned=planned + case.settle_seconds + load_seconds,
        taken=(cleared_at - attempt.created_at).total_seconds(),
        expected=case.expected_seconds,
    )


@transaction.atomic
def leftover_cleared(job: str) -> None:
    """Store that a host deleted a job of a final attempt; it is cleared when all jobs are.

    A final attempt belongs to no worker, so no fencing token is checked.
    """
    attempt = Attempt.objects.select_for_update().get(jobs__pk=job)
    attempt.jobs.filter(pk=job).update(removed_from_host=True)
    if not attempt.jobs.filter(removed_from_host=False).exists():
        attempt.host_files_removed_at = timezone.now()
        attempt.save(update_fields=["host_files_removed_at"])
