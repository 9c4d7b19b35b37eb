"""Acceptances for tests."""

from __future__ import annotations

from apps.acceptance.models import Acceptance, AcceptedDisk
from apps.acceptance.schemas import Finding, Reading
from apps.accounts.models import User
from apps.inventory.models import Disk


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
            findings=[Finding("verify", "passed" if number else "failed", detail="bad block")],
        )
    return row
