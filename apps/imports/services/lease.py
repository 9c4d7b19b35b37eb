"""Lease of an import: one process at a time reads or stores it.

Another process continues after the lease expires.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.imports.models import Import

LEASE_TIME = timedelta(seconds=60)


def import_lease_acquire(import_id: int, state: str) -> Import | None:
    """Acquire the lease for TURN and return the import.

    None if its state differs, another process has the lease, or its row is locked. Does not wait
    for the lock.
    """
    now = timezone.now()
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    rows = Import.objects.filter(free, pk=import_id, state=state)
    with transaction.atomic():
        row = rows.select_for_update(skip_locked=True).first()
        if row is None:
            return None
        Import.objects.filter(pk=row.pk).update(lease_until=now + LEASE_TIME)
    return Import.objects.select_related("owner", "team").get(pk=import_id)


def import_lease_renew(imported: Import) -> None:
    """Extend the lease by TURN from now."""
    Import.objects.filter(pk=imported.pk).update(lease_until=timezone.now() + LEASE_TIME)


def import_lease_release(imported: Import) -> None:
    """Release the lease of unfinished work, so that another process continues."""
    Import.objects.filter(pk=imported.pk).update(lease_until=None)


def import_lease_end(imported: Import, *, state: str, reason: str = "") -> None:
    """Set the next state and release the lease."""
    imported.state, imported.reason, imported.lease_until = state, reason, None
    imported.save(update_fields=["state", "reason", "lease_until", "updated_at"])
