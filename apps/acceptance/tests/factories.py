"""Acceptances for tests."""

from __future__ import annotations

from apps.acceptance.models import Acceptance, AcceptedDisk
from apps.acceptance.schemas import Finding, Reading
from apps.accounts.models import User
from apps.inventory.models import Disk
from apps.results.models import Measurement
from apps.runs.models import Attempt, CaseState, Run, RunState
from apps.runs.tests.factories import create_attempt
from apps.tools.messages import as_message, message

SHORT = message(
    "Of %(wanted)d bytes, %(written)d were written and %(read)d read back.",
    wanted=3 << 20,
    written=3 << 20,
    read=1 << 20,
)


def create_acceptance(owner: User, *disks: Disk, **fields: object) -> Acceptance:
    """An acceptance without runs, with a rejected and otherwise accepted disks."""
    row = Acceptance.objects.create(owner=owner, name="Delivery", **fields)
    for number, disk in enumerate(disks):
        AcceptedDisk.objects.create(
            acceptance=row,
            disk=disk,
            label=f"slot {number}",
            verdict="accepted" if number else "rejected",
            before=Reading(firmware="A1"),
            findings=[
                Finding(
                    "verify",
                    "passed" if number else "failed",
                    detail=as_message(SHORT),
                )
            ],
        )
    return row


def fill_end(run: Run, *, unread: int = 0, state: CaseState = CaseState.SUCCEEDED) -> list[Attempt]:
    """End a fill: every disk was written, and all but `unread` bytes read back."""
    attempts = []
    for case in run.cases.all():
        case.state = state
        case.save()
        attempt = create_attempt(case)
        attempts.append(attempt)
        members = list(case.run_target.all_members)
        for member in members:
            for operation, left in (("write", 0), ("read", unread)):
                Measurement.objects.create(
                    attempt=attempt,
                    case=case,
                    workload=case.workload,
                    operation=operation,
                    component=f"disk {member.pk}" if len(members) > 1 else "",
                    member=member,
                    bandwidth=5e8,
                    values={"io_bytes": (member.size or 0) - left},
                    parser_version=1,
                )
    Run.objects.filter(pk=run.pk).update(state=RunState.SUCCEEDED)
    return attempts
