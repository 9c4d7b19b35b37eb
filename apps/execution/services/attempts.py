"""Write the state of an attempt. Every write checks the fencing token of the run's lease."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import msgspec
from django.utils import timezone

from apps.common.schemas.storable import cleaned
from apps.execution.domain.lease import RunLease
from apps.runs.models import (
    FINAL_ATTEMPT,
    Attempt,
    AttemptState,
    Run,
)
from apps.runs.schemas import EarlyEnd
from apps.runs.services.leases import fenced
from apps.runs.services.runs import event_record
from apps.runs.services.transitions import attempt_transition
from apps.tools.messages import message

# Columns of an attempt that its end sets.
END_OF_ATTEMPT = (
    *("state", "reason", "failure_cause", "valid", "invalid_reason", "warnings", "tool_version"),
    *("ended_at", "contact_lost_since"),
)


class AttemptOver(Exception):
    """The attempt, or its case, was ended while this worker drove it."""


class RunHeld(Exception):
    """The run starts no case now: a booking, a maintenance window or another run comes first."""


@contextmanager
def fenced_attempt(lease: RunLease, attempt: Attempt) -> Iterator[Run]:
    """Lock the run of an attempt that has not ended.

    Raises:
        LeaseLost: another worker acquired the run, or the run has ended.
        AttemptOver: the attempt has ended.
    """
    with fenced(lease.run_id, lease.fence) as run:
        if Attempt.objects.filter(pk=attempt.pk, state__in=FINAL_ATTEMPT).exists():
            raise AttemptOver(attempt.pk)
        yield run


def attempt_advance(
    lease: RunLease, attempt: Attempt, state: AttemptState, fields: Mapping[str, Any]
) -> Attempt:
    """Advance the attempt step by step to `state`, and store `fields`."""
    with fenced_attempt(lease, attempt):
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
    """Store why benchlab ends the attempt early, before its jobs are ended."""
    with fenced_attempt(lease, attempt):
        attempt.early_end = msgspec.structs.replace(why, reason=cleaned(why.reason))
        attempt.save(update_fields=["early_end"])


def attempt_phases_store(lease: RunLease, phases: Mapping[UUID, str]) -> set[UUID]:
    """Store the agents' phases of attempts that answered; return the attempts that have ended."""
    with fenced(lease.run_id, lease.fence):
        rows = Attempt.objects.filter(pk__in=list(phases))
        over = set(rows.filter(state__in=FINAL_ATTEMPT).values_list("pk", flat=True))
        heard, now = rows.exclude(pk__in=over), timezone.now()
        for phase in set(phases.values()):
            own = heard.filter(pk__in=[pk for pk, current in phases.items() if current == phase])
            new = own.exclude(phase=phase, phase_since__isnull=False)
            new.update(phase=phase, phase_since=now)
        heard.update(contact_at=now, contact_lost_since=None)
        return over


def attempt_contact_lost(
    lease: RunLease, attempt: Attempt, reason: str, hosts: Sequence[int] = ()
) -> None:
    """Store that these hosts are unresponsive; the state of their jobs is unknown, not failed."""
    with fenced_attempt(lease, attempt) as run:
        row = Attempt.objects.filter(pk=attempt.pk)
        changed = row.filter(contact_lost_since__isnull=True).update(
            contact_lost_since=timezone.now()
        )
        row.exclude(unresponsive_hosts=list(hosts)).update(unresponsive_hosts=list(hosts))
        if changed:
            event_record(
                run, "contact", message("lost contact: %(why)s", why=reason), case=attempt.case
            )


def attempt_remark(lease: RunLease, attempt: Attempt, remark: str) -> None:
    """Add a remark to the event log, unless it is there already."""
    number = attempt.case.sequence + 1
    text = cleaned(message("case %(number)d: %(what)s", number=number, what=remark))
    with fenced_attempt(lease, attempt) as run:
        if not run.events.filter(kind="remark", case=attempt.case, text=text).exists():
            event_record(run, "remark", text, case=attempt.case)


def attempt_seen(_lease: RunLease, attempt: Attempt) -> AttemptState:
    """Reload what the parsing process has written about the attempt."""
    attempt.refresh_from_db(fields=END_OF_ATTEMPT)
    attempt.case.refresh_from_db(fields=["state", "reason", "failure_cause"])
    return AttemptState(attempt.state)
