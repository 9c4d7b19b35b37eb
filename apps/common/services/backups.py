"""Records of backups. The newest NEWEST stay."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.common.models import Backup
from apps.common.services.retention import due_rows

NEWEST = 20


@transaction.atomic
def backup_record(
    *, name: str, version: str, made_at: datetime | None = None, size_bytes: int | None = None
) -> Backup:
    """Record a backup and delete the oldest records. `made_at` defaults to now."""
    row = Backup.objects.create(
        name=name[:300],
        version=version,
        made_at=made_at or timezone.now(),
        size_bytes=size_bytes,
    )
    backups_due().delete()
    return row


def backups_due() -> QuerySet[Backup]:
    """Return all records but the newest."""
    newest = Backup.objects.order_by("-made_at", "-pk").values("pk")[:NEWEST]
    return Backup.objects.exclude(pk__in=newest)


RETENTION = [due_rows(Backup, f"the newest {NEWEST}", backups_due, task="each new row")]
