"""Contents of disks, stored after each check and each writing test.

A change by others is then noticed before it is overwritten.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.inventory.domain.fingerprints import content_sentence, fingerprint_of, unknown_content
from apps.inventory.models import Disk
from apps.inventory.schemas.preconditioning import PreconditioningState
from apps.remote.job_spec import Fingerprint


@transaction.atomic
def disk_content_seen(
    *, disk: Disk, before: Fingerprint | None, reported: Any, reasons: Sequence[Any]
) -> None:
    """Store the content that a check found on an enrolled disk.

    `before`: what was stored when the check began. If that has changed, a test ran meanwhile and
    the check is ignored.
    """
    row = Disk.objects.select_for_update(of=("self",)).get(pk=disk.pk)
    if row.fingerprint != before or not row.is_enrolled:
        return
    if before is None:
        row.fingerprint = fingerprint_of(reported)
    row.content_changed = content_sentence(" ".join(str(reason) for reason in reasons))
    if row.content_changed:
        row.preconditioning = None
    row.save(update_fields=["fingerprint", "preconditioning", "content_changed", "updated_at"])


@transaction.atomic
def disk_written(
    *,
    host_id: int,
    identity: str,
    reported: Any,
    preconditioning: PreconditioningState | None = None,
    behind: int = 0,
) -> None:
    """Store the content that a writing test left; anything but a fingerprint: it did not end.

    `preconditioning`: the state that the test established, from one in which the operations before
    `behind` were done. Entries of the same device on other hosts follow.
    """
    for row in _same_device(host_id, identity):
        left = fingerprint_of(reported)
        row.fingerprint = left or unknown_content(row.fingerprint, row.size)
        row.preconditioning = (
            preconditioning if left and _goes_on(row, preconditioning, behind) else None
        )
        row.content_changed = ""
        row.save(update_fields=["fingerprint", "preconditioning", "content_changed", "updated_at"])


def _goes_on(row: Disk, preconditioning: PreconditioningState | None, behind: int) -> bool:
    """Return True if the disk has gone through exactly the first operations."""
    if preconditioning is None or not behind:
        return preconditioning is not None
    return (
        row.preconditioning is not None
        and row.preconditioning.acts == preconditioning.acts[:behind]
    )


@transaction.atomic
def disk_content_refused(*, host_id: int, identity: str, reason: str, alone: bool) -> None:
    """Record that an attempt was refused because of the disk's content.

    `alone`: the attempt used no other disk, so the reason need not name this one.
    """
    message = content_sentence(reason)
    row = Disk.objects.filter(host_id=host_id, identity=identity).first()
    if row and message and (alone or f" {row.device_path} " in message):
        Disk.objects.filter(pk=row.pk).update(
            content_changed=message, preconditioning=None, updated_at=timezone.now()
        )


def _same_device(host_id: int, identity: str) -> list[Disk]:
    rows = Disk.objects.select_for_update(of=("self",)).filter(identity=identity).order_by("pk")
    disks = list(rows)
    own = next((disk for disk in disks if disk.host_id == host_id), None)
    return [disk for disk in disks if own and (disk == own or disk.claim == own.claim)]
