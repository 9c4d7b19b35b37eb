"""Turns at reading or storing an import: one process at a time, and another one when that one
is gone.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.imports.models import Import

TURN = timedelta(seconds=60)


def import_lease_acquire(import_id: int, state: str) -> Import | None:
    """The import, when it is in this state and nobody works on it; it is then ours for TURN. Nobody
    waits for one who is still at it after that and has the row locked.
    """
    now = timezone.now()
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    rows = Import.objects.filter(free, pk=import_id, state=state)
    with transaction.atomic():
        row = rows.select_for_update(skip_locked=True).first()
        if row is None:
            return None
        Import.objects.filter(pk=row.pk).update(lease_until=now + TURN)
    return Import.objects.select_related("owner", "team").get(pk=import_id)


def import_lease_renew(imported: Import) -> None:
    """We are still at it."""
    Import.objects.filter(pk=imported.pk).update(lease_until=timezone.now() + TURN)


def import_lease_release(imported: Import) -> None:
    """Not done, and not ours any more: whoever comes next goes on."""
    Import.objects.filter(pk=imported.pk).update(lease_until=None)


def turn_end(imported: Import, *, state: str, reason: str = "") -> None:
    """Done: the import goes on to another state."""
    imported.state, imported.reason, imported.lease_until = state, reason, None
    imported.save(update_fields=["state", "reason", "lease_until", "updated_at"])
