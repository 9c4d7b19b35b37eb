"""What a worker writes about a run it drives. Every function enters through the fence
(apps.runs.leases).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from apps.accounts.models import User
from apps.execution.spec import attempt_spec
from apps.execution.verify import Judgement, judge
from apps.inventory.facts import cleaned
from apps.inventory.models import Disk
from apps.results.services import device_view_store, results_store
from apps.runs.artifacts import artifact_of, attempt_files
from apps.runs.leases import fenced
from apps.runs.models import (
    FINAL_ATTEMPT,
    Artifact,
    Attempt,
    AttemptState,
    Case,
    CaseState,
    Fault,
    Run,
    RunState,
)
from apps.runs.services import event_record, run_finish
from apps.runs.transitions import attempt_step
from apps.tools.base import ParamsError

LONGEST_VERSION = 40


@dataclass(frozen=True)
class Hold:
    """A worker's right to write about a run: the run, and the fencing token of its lease."""

    run_id: int
    fence: int


def attempt_open(hold: Hold, case_id: int) -> Attempt:
    """The case's open attempt, or a new one; its specification is fixed here, before anything is
    asked of a host.
    """
    with fenced(hold.run_id, hold.fence) as run:
        case = run.cases.select_related("disk", "directory", "workload", "run").get(pk=case_id)
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
        attempt.spec = attempt_spec(attempt)
        attempt.save(update_fields=["spec"])
    except ParamsError as error:
        _close(run, attempt, Judgement(AttemptState.FAILED, str(error), Fault.PLAN))


def refusal_now(attempt: Attempt) -> str:
    """Why this attempt may not start after all: rights and enrolments are those of this moment,
    not of the launch. Empty when it may.
    """
    run, target = attempt.case.run, attempt.spec["target"]
    owner = User.objects.get(pk=run.owner_id)
    if not owner.is_operator:
        return f"{owner.username} may no longer launch runs"
    if target["kind"] != "disk" or not target["write"]:
        return ""
    disk = Disk.objects.filter(pk=attempt.case.disk_id or 0).first()
    if disk is None or not disk.is_enrolled:
        return f"{disk} is no longer enrolled as expendable"
    wiper = User.objects.filter(pk=run.wipe_confirmed_by_id or 0).first()
    if wiper is not None and not wiper.is_disk_owner:
        return f"{wiper.username}, who confirmed the wipe, is no longer a disk owner"
    return ""


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
        device_view_store(attempt=attempt, log=files.get("device.log", b""))
        _close(run, attempt, judgement)
        return judgement.state


def attempt_close(
    hold: Hold, attempt: Attempt, state: AttemptState, reason: str, fault: str = ""
) -> None:
    """End an attempt that produced nothing to read."""
    with fenced(hold.run_id, hold.fence) as run:
        _close(run, attempt, Judgement(state, reason=reason, fault=fault))


def _close(run: Run, attempt: Attempt, judgement: Judgement) -> None:
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


def leftover_cleared(attempt_id: str) -> None:
    """The host has forgotten an attempt that ended earlier; it is final, so no fence is needed."""
    Attempt.objects.filter(pk=attempt_id).update(cleared_at=timezone.now())


def run_give_up(hold: Hold, reason: str) -> None:
    """A defect of ours stops this run again and again: say so and end it, rather than for ever."""
    with fenced(hold.run_id, hold.fence) as run:
        for case in run.cases.filter(state=CaseState.RUNNING):
            for attempt in case.attempts.exclude(state__in=FINAL_ATTEMPT):
                _close(run, attempt, Judgement(AttemptState.FAILED, reason, Fault.BENCHLAB))
        rest = run.cases.filter(state__in=[CaseState.PENDING, CaseState.RUNNING])
        rest.update(state=CaseState.FAILED, reason=reason, fault=Fault.BENCHLAB)
        run_finish(run, RunState.FAILED, reason)


def cases_give_up(hold: Hold, host_id: int, reason: str) -> None:
    """A host that cannot be used ends the rest of its cases at once instead of one time-out
    each.
    """
    with fenced(hold.run_id, hold.fence) as run:
        rest = run.cases.filter(host_id=host_id, state=CaseState.PENDING)
        count = rest.update(state=CaseState.FAILED, reason=reason, fault=Fault.HOST)
        if count:
            event_record(run, "host", f"{count} cases not tried: {reason}")


def run_close(hold: Hold) -> str:
    """End a run none of whose cases is left to do. Returns its final state."""
    with fenced(hold.run_id, hold.fence) as run:
        states = set(run.cases.values_list("state", flat=True))
        open_states = {CaseState.PENDING, CaseState.RUNNING} & states
        if open_states and run.cancel_requested_at is None:
            return run.state
        run_finish(run, *_ending(run, states))
        return run.state


def _ending(run: Run, states: set[str]) -> tuple[RunState, str]:
    if run.cancel_requested_at is not None:
        who = run.cancel_requested_by.username if run.cancel_requested_by else "somebody"
        return RunState.CANCELLED, f"cancelled by {who}"
    for state in (RunState.LOST, RunState.FAILED):
        if state.value in states:
            count = run.cases.filter(state=state.value).count()
            return state, f"{count} of {run.case_count} cases {state.label}"
    return RunState.SUCCEEDED, ""


def cases_to_do(run_id: int) -> dict[int, list[int]]:
    """The run's open cases, per host, in their order."""
    lanes: dict[int, list[int]] = {}
    rows = Case.objects.filter(run_id=run_id, state__in=[CaseState.PENDING, CaseState.RUNNING])
    for host_id, case_id in rows.order_by("position").values_list("host_id", "pk"):
        lanes.setdefault(host_id, []).append(case_id)
    return lanes


def moment(seconds: float | None) -> datetime | None:
    """A host's clock reading (seconds since 1970) as a UTC time."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def case_is_open(case_id: int) -> bool:
    """Whether something of the case may be running on its host, so that even a cancelled run must
    look after it.
    """
    return Case.objects.filter(pk=case_id, state=CaseState.RUNNING).exists()
