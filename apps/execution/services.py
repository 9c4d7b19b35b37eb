"""A worker's writes about a run it drives. Every function enters through the fence
(apps.runs.services.leases).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NotRequired, TypedDict
from uuid import UUID

import msgspec
from django.utils import timezone

from apps.blobs.services.spool import CompressedFile
from apps.common.database.storable import cleaned
from apps.common.stored.messages import label
from apps.execution.attempt.contents import NOTHING_LEFT, contents_note
from apps.execution.attempt.participants import participants_of
from apps.execution.attempt.spec import procedure_of
from apps.execution.domain.lease import RunLease
from apps.execution.domain.outcome import AttemptOutcome, evaluate
from apps.execution.preparing import aging_decide, left_by, unprepared_close
from apps.inventory.models import Host, HostFacts
from apps.inventory.services.asking import check_ask
from apps.plans.services.durations import case_time_record
from apps.results.services.publish import device_view_store, results_store
from apps.results.services.summary_table import figures_refresh
from apps.runs.models import (
    FINAL_ATTEMPT,
    STARTED_ATTEMPT,
    Attempt,
    AttemptJob,
    AttemptState,
    Case,
    CaseState,
    Run,
)
from apps.runs.schemas import EarlyEnd
from apps.runs.selectors.interference import interference_warnings
from apps.runs.services.artifacts import artifacts_replace, attempt_files
from apps.runs.services.freeze import untuned_run_tuning
from apps.runs.services.leases import fenced
from apps.runs.services.runs import event_record
from apps.runs.services.transitions import attempt_transition, case_transition
from apps.runs.services.versions import runs_touch
from apps.tools.base import ParamsError
from apps.tools.messages import message

LONGEST_VERSION = 40
SMALL = 1 << 20  # bytes of a file that is read in any case
# What is known of an attempt when it has ended, and of a job.
END_OF_ATTEMPT = (
    *("state", "reason", "fault", "valid", "invalid_reason", "warnings", "tool_version"),
    *("ended_at", "contact_lost_since"),
)
ENDS = ("state", "why", "refused", "exit", "places")


class AttemptOver(Exception):
    """Somebody ended the attempt, or its case before it began, while this worker drove it."""


@contextmanager
def _open(lease: RunLease, attempt: Attempt) -> Iterator[Run]:
    """`fenced`, entered only while nobody has ended the attempt. Raises AttemptOver."""
    with fenced(lease.run_id, lease.fence) as run:
        if Attempt.objects.filter(pk=attempt.pk, state__in=FINAL_ATTEMPT).exists():
            raise AttemptOver(attempt.pk)
        yield run


def attempt_advance(
    lease: RunLease, attempt: Attempt, state: AttemptState, fields: Mapping[str, Any]
) -> Attempt:
    """Take the attempt every step there is up to this state, and store what is known by now."""
    with _open(lease, attempt):
        for step in _steps(attempt.state, state):
            attempt_transition(attempt, step)
        for name, value in fields.items():
            setattr(attempt, name, value)
        attempt.contact_at, attempt.contact_lost_since = timezone.now(), None
        attempt.save(update_fields=[*fields, "contact_at", "contact_lost_since"])
        return attempt


def _steps(before: str, after: AttemptState) -> list[AttemptState]:
    order = list(AttemptState)
    here, there = order.index(AttemptState(before)), order.index(after)
    return order[here + 1 : there + 1] or [after]


def attempt_stopped(lease: RunLease, attempt: Attempt, why: EarlyEnd) -> None:
    """Remember why benchlab ends the attempt early, before it does."""
    with _open(lease, attempt):
        attempt.stopped = msgspec.structs.replace(why, reason=cleaned(why.reason))
        attempt.save(update_fields=["stopped"])


def jobs_launched(lease: RunLease, attempt: Attempt, jobs: Sequence[AttemptJob]) -> None:
    """The hosts know these jobs, so the attempt is running."""
    with _open(lease, attempt):
        for job in jobs:
            job.launched = True
        AttemptJob.objects.filter(pk__in=[job.pk for job in jobs]).update(launched=True)
        if attempt.state not in STARTED_ATTEMPT:
            attempt_transition(attempt, AttemptState.RUNNING)
        attempt.contact_at, attempt.contact_lost_since = timezone.now(), None
        attempt.save(update_fields=["contact_at", "contact_lost_since"])


def jobs_note(lease: RunLease, attempt: Attempt, fields: Sequence[str]) -> None:
    """Store these fields of the attempt's jobs."""
    with _open(lease, attempt):
        AttemptJob.objects.bulk_update(attempt.jobs.all(), fields)


def attempts_heard(lease: RunLease, phases: Mapping[UUID, str]) -> set[UUID]:
    """These attempts were heard of now, each in a phase of its agent. Those of them that somebody
    has ended.
    """
    with fenced(lease.run_id, lease.fence):
        rows = Attempt.objects.filter(pk__in=list(phases))
        over = set(rows.filter(state__in=FINAL_ATTEMPT).values_list("pk", flat=True))
        heard, now = rows.exclude(pk__in=over), timezone.now()
        for phase in set(phases.values()):
            own = heard.filter(pk__in=[pk for pk, said in phases.items() if said == phase])
            new = own.exclude(phase=phase, phase_since__isnull=False)
            new.update(phase=phase, phase_since=now)
        heard.update(contact_at=now, contact_lost_since=None)
        return over


def attempt_contact_lost(
    lease: RunLease, attempt: Attempt, reason: str, hosts: Sequence[int] = ()
) -> None:
    """Note that these hosts do not answer: what runs there is unknown from now on, not failed."""
    with _open(lease, attempt) as run:
        row = Attempt.objects.filter(pk=attempt.pk)
        changed = row.filter(contact_lost_since__isnull=True).update(
            contact_lost_since=timezone.now()
        )
        row.exclude(silent_hosts=list(hosts)).update(silent_hosts=list(hosts))
        if changed:
            event_record(
                run, "contact", message("lost contact: %(why)s", why=reason), case=attempt.case
            )


def host_key_changed(lease: RunLease, attempt: Attempt, host_id: int, reason: str) -> None:
    """A host of the attempt shows another key than the confirmed one: nothing is sent to it. Its
    page, the home page and the events of the run say so."""
    with _open(lease, attempt) as run:
        Host.objects.filter(pk=host_id).update(
            health=Host.Health.UNREACHABLE,
            health_kind="key_changed",
            health_text=reason,
            checked_at=timezone.now(),
        )
        # An attempt whose contact is lost only now gets an event with this very reason.
        if Attempt.objects.filter(pk=attempt.pk, contact_lost_since__isnull=False).exists():
            event_record(run, "contact", reason, case=attempt.case)


def host_key_again(lease: RunLease, attempt: Attempt, host_id: int) -> None:
    """The host shows its confirmed key again: a check replaces what its page says."""
    with _open(lease, attempt):
        check_ask(Host.objects.get(pk=host_id))


def attempt_remark(lease: RunLease, attempt: Attempt, remark: str) -> None:
    """A line in the diary about what is seen while it runs; once, however often it is read."""
    number = attempt.case.position + 1
    text = cleaned(message("case %(number)d: %(what)s", number=number, what=remark))
    with _open(lease, attempt) as run:
        if not run.events.filter(kind="remark", case=attempt.case, text=text).exists():
            event_record(run, "remark", text, case=attempt.case)


class EndFields(TypedDict):
    """Columns of an attempt that its hosts' ends say."""

    argv: Sequence[Sequence[str]]
    started_at: datetime | None
    ended_at: datetime | None
    facts: NotRequired[HostFacts]


def artifacts_store(
    lease: RunLease, attempt: Attempt, files: Mapping[str, CompressedFile], fields: EndFields
) -> Attempt:
    """Store the attempt's files as they are, and what the agents said about its end."""
    with _open(lease, attempt):
        artifacts_replace(attempt, files)
        AttemptJob.objects.bulk_update(attempt.jobs.all(), ENDS)
        attempt_transition(attempt, AttemptState.PARSING)
        for name, value in fields.items():
            setattr(attempt, name, value)
        attempt.save(update_fields=fields)
        return attempt


def attempt_publish(lease: RunLease, attempt: Attempt, unread: str = "") -> AttemptState:
    """Read the stored files, store the measurements, and end the attempt as what it turned out to
    be. `unread` says why its large files were not read: then the small ones have to do.
    """
    files = attempt_files(attempt, most=SMALL if unread else None)
    outcome = evaluate(attempt, files, unread)
    with _open(lease, attempt) as run:
        attempt.invalid_reason = cleaned(outcome.invalid)
        attempt.warnings = cleaned([*outcome.warnings, *interference_warnings(run)])
        if outcome.parsed is not None:
            attempt.tool_version = cleaned(outcome.parsed.version or "")[:LONGEST_VERSION]
            results_store(
                attempt=attempt,
                parsed=outcome.parsed,
                parser_version=outcome.parser_version,
                invalid_reason=attempt.invalid_reason,
            )
        device_view_store(attempt=attempt, files=files)
        attempt_end(run, attempt, outcome)
        runs_touch([run.pk])
        return outcome.state


def attempt_seen(_lease: RunLease, attempt: Attempt) -> AttemptState:
    """Take over what another process of ours has written about the attempt."""
    attempt.refresh_from_db(fields=END_OF_ATTEMPT)
    attempt.case.refresh_from_db(fields=["state", "reason", "fault"])
    return AttemptState(attempt.state)


def attempt_close(
    lease: RunLease, attempt: Attempt, outcome: AttemptOutcome, *, touched: bool
) -> None:
    """End an attempt that produced nothing to read: its hosts have no jobs of it. `touched`: a
    worker asked a host to start one all the same.
    """
    with _open(lease, attempt) as run:
        AttemptJob.objects.bulk_update(attempt.jobs.all(), ENDS)
        attempt_end(run, attempt, outcome, touched=touched)


def attempt_end(
    run: Run, attempt: Attempt, outcome: AttemptOutcome, *, touched: bool = True
) -> None:
    """Its last state, and what it left on its disks. `touched`: as far as nothing else says so,
    something of it may have been started on a host.
    """
    left = left_by(attempt) if whole_success(outcome) else NOTHING_LEFT
    contents_note(attempt, outcome.reason, touched=touched, left=left)
    attempt_transition(
        attempt,
        outcome.state,
        reason=cleaned(outcome.reason),
        fault=outcome.fault,
        valid=outcome.state == AttemptState.SUCCEEDED and not outcome.invalid,
        ended_at=attempt.ended_at or timezone.now(),
        contact_lost_since=None,
    )
    attempt.save(update_fields=["invalid_reason", "warnings", "tool_version"])
    case = attempt.case
    if outcome.state == AttemptState.SUCCEEDED:
        _file(run, case, as_found=outcome.as_found)
    case_transition(
        case,
        CaseState(outcome.state.value),
        reason=cleaned(outcome.reason or outcome.invalid),
        fault=outcome.fault,
        run_tuning=case.run_tuning,
        planned_tuning=case.planned_tuning,
    )
    figures_refresh([case.pk])
    if case.prepares and not whole_success(outcome):
        unprepared_close(run, case)
    elif case.prepares:
        aging_decide(run, case)
    state = label(CaseState(case.state).label)
    text = message("case %(number)d %(state)s", number=case.position + 1, state=state)
    why = message("%(what)s: %(why)s", what=text, why=case.reason) if case.reason else text
    event_record(run, "case", why, case=case)


def whole_success(outcome: AttemptOutcome) -> bool:
    """Whether the tool did all it should, and nothing disturbed it."""
    return outcome.state == AttemptState.SUCCEEDED and not outcome.invalid


def _file(run: Run, case: Case, *, as_found: bool) -> None:
    """Put the case under the tuning that was in force."""
    planned = case.asked_tuning
    filed = untuned_run_tuning(run) if as_found else planned
    case.planned_tuning = None if filed == planned else planned
    case.run_tuning = filed


def jobs_cleared(lease: RunLease, attempt: Attempt) -> None:
    """Note which hosts have forgotten their jobs; the attempt is cleared when all have, and
    everything of it is here.
    """
    with fenced(lease.run_id, lease.fence):
        gone = [job.pk for job in attempt.jobs.all() if job.cleared]
        AttemptJob.objects.filter(pk__in=gone).update(cleared=True)
        if all(job.cleared for job in attempt.jobs.all()):
            attempt.cleared_at = timezone.now()
            attempt.save(update_fields=["cleared_at"])
            _time_record(attempt)


def _time_record(attempt: Attempt) -> None:
    """Keep the time the case took, for the expected time of the next ones like it."""
    case, cleared = attempt.case, attempt.cleared_at
    if attempt.state != AttemptState.SUCCEEDED or cleared is None:
        return
    try:
        planned = max(
            procedure_of(case, participant).seconds for participant in participants_of(case)
        )
    except ParamsError:
        return  # today's tool room knows this test no more
    case_time_record(
        host_id=case.host_id,
        workload=case.workload,
        tuning=case.tuning_name,
        planned=planned + case.settle_seconds,
        taken=(cleared - attempt.created_at).total_seconds(),
    )


def moment(seconds: float | None) -> datetime | None:
    """A host's clock reading (seconds since 1970) as a UTC time."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
