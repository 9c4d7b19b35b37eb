"""What a worker writes about a run it drives. Every function enters through the fence
(apps.runs.leases).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from apps.execution.hold import Hold
from apps.execution.spec import attempt_jobs, attempt_spec
from apps.execution.verify import Judgement, judge
from apps.inventory.facts import cleaned
from apps.results.services import device_view_store, results_store
from apps.runs.artifacts import artifact_of, attempt_files
from apps.runs.leases import fenced
from apps.runs.models import (
    FINAL_ATTEMPT,
    Artifact,
    Attempt,
    AttemptState,
    CaseState,
    Fault,
    Run,
)
from apps.runs.services import event_record
from apps.runs.transitions import attempt_step
from apps.tools.base import ParamsError

LONGEST_VERSION = 40


def attempt_open(hold: Hold, case_id: int) -> Attempt:
    """The case's open attempt, or a new one; its specification is fixed here, before anything is
    asked of a host.
    """
    with fenced(hold.run_id, hold.fence) as run:
        case = run.cases.select_related("disk", "directory", "workload", "run", "host").get(
            pk=case_id
        )
        attempt = case.attempts.exclude(state__in=FINAL_ATTEMPT).first()
        if attempt is None:
            attempt = Attempt(case=case, number=case.attempts.count() + 1)
            attempt.save(force_insert=True)
            case.state = CaseState.RUNNING
            case.save(update_fields=["state"])
            event_record(run, "attempt", f"case {case.position + 1}: {case}", case=case)
            _specify(run, attempt)
        return attempt


def _specify(run: Run, attempt: Attempt) -> None:
    """Fix what the host will be asked, or end the attempt: today's tool room may know better."""
    try:
        attempt.jobs = attempt_jobs(attempt)
        attempt.spec = {} if attempt.jobs else attempt_spec(attempt)
        attempt.save(update_fields=["spec", "jobs"])
    except ParamsError as error:
        attempt_end(run, attempt, Judgement(AttemptState.FAILED, str(error), Fault.PLAN))


def attempt_advance(
    hold: Hold, attempt: Attempt, state: AttemptState, fields: Mapping[str, Any]
) -> Attempt:
    """Take the attempt one step forward and store what is known by now."""
    with fenced(hold.run_id, hold.fence):
        attempt.state = attempt_step(attempt.state, state)
        for name, value in fields.items():
            setattr(attempt, name, value)
        attempt.contact_at, attempt.contact_lost_since = timezone.now(), None
        attempt.save()
        return attempt


def attempt_phase(hold: Hold, attempt: Attempt, phase: str) -> None:
    """Remember what the agent is doing, and that it was heard of now."""
    with fenced(hold.run_id, hold.fence):
        Attempt.objects.filter(pk=attempt.pk).update(
            phase=phase, contact_at=timezone.now(), contact_lost_since=None
        )


def attempt_contact_lost(hold: Hold, attempt: Attempt, reason: str) -> None:
    """Nothing is heard from the host: what runs there is unknown from now on, not failed."""
    with fenced(hold.run_id, hold.fence) as run:
        changed = Attempt.objects.filter(pk=attempt.pk, contact_lost_since__isnull=True).update(
            contact_lost_since=timezone.now()
        )
        if changed:
            event_record(run, "contact", f"lost contact: {reason}", case=attempt.case)


def artifacts_store(
    hold: Hold, attempt: Attempt, files: Mapping[str, bytes], fields: Mapping[str, Any]
) -> Attempt:
    """Store the attempt's files as they are, and what the agent said about its end."""
    with fenced(hold.run_id, hold.fence):
        Artifact.objects.filter(attempt=attempt).delete()
        Artifact.objects.bulk_create(artifact_of(attempt, n, c) for n, c in sorted(files.items()))
        attempt.state = attempt_step(attempt.state, AttemptState.PARSING)
        for name, value in fields.items():
            setattr(attempt, name, value)
        attempt.save()
        return attempt


def attempt_publish(hold: Hold, attempt: Attempt) -> AttemptState:
    """Read the stored files, store the measurements, and end the attempt as what it turned out to
    be.
    """
    files = attempt_files(attempt)
    judgement = judge(attempt, files)
    with fenced(hold.run_id, hold.fence) as run:
        attempt.valid = judgement.state == AttemptState.SUCCEEDED and not judgement.invalid
        attempt.invalid_reason = cleaned(judgement.invalid)
        attempt.warnings = cleaned(list(judgement.warnings))
        if judgement.parsed is not None:
            attempt.tool_version = cleaned(judgement.parsed.version or "")[:LONGEST_VERSION]
            results_store(
                attempt=attempt,
                parsed=judgement.parsed,
                parser_version=judgement.parser_version,
                invalid_reason=attempt.invalid_reason,
            )
        device_view_store(attempt=attempt, files=files)
        attempt_end(run, attempt, judgement)
        return judgement.state


def attempt_close(
    hold: Hold, attempt: Attempt, state: AttemptState, reason: str, fault: str = ""
) -> None:
    """End an attempt that produced nothing to read."""
    with fenced(hold.run_id, hold.fence) as run:
        attempt_end(run, attempt, Judgement(state, reason=reason, fault=fault))


def attempt_end(run: Run, attempt: Attempt, judgement: Judgement) -> None:
    attempt.state = attempt_step(attempt.state, judgement.state)
    attempt.reason, attempt.fault = cleaned(judgement.reason), judgement.fault
    attempt.ended_at = attempt.ended_at or timezone.now()
    attempt.contact_lost_since = None
    attempt.save()
    case = attempt.case
    case.state = CaseState(judgement.state.value)
    case.reason, case.fault = cleaned(judgement.reason or judgement.invalid), judgement.fault
    case.save(update_fields=["state", "reason", "fault"])
    text = f"case {case.position + 1} {case.get_state_display()}"
    event_record(run, "case", f"{text}: {case.reason}" if case.reason else text, case=case)


def attempt_cleared(hold: Hold, attempt: Attempt) -> None:
    """The host has forgotten the attempt's folder; everything of it is here."""
    with fenced(hold.run_id, hold.fence):
        Attempt.objects.filter(pk=attempt.pk).update(cleared_at=timezone.now())


def jobs_cleared(hold: Hold, attempt: Attempt) -> None:
    """Note which hosts have forgotten their jobs; the attempt is cleared when all have."""
    with fenced(hold.run_id, hold.fence):
        if all(job.get("cleared") or not job["launched"] for job in attempt.jobs):
            attempt.cleared_at = timezone.now()
        attempt.save(update_fields=["jobs", "cleared_at"])


def moment(seconds: float | None) -> datetime | None:
    """A host's clock reading (seconds since 1970) as a UTC time."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
