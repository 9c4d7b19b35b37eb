"""Check the age of the newest recorded backup."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import timezone

from apps.common.models import Backup
from benchlab.ops.findings import Finding, note, or_ok
from benchlab.ops.upkeep import BACKUP_LATE

HOW = "bin/manage backup FILE; record others with bin/manage record_backup NAME"


def backups() -> list[Finding]:
    """Check that a backup of the last week is recorded."""
    return or_ok(_late(), f"a backup of the last {BACKUP_LATE.days} days is recorded")


def _late() -> Iterator[Finding]:
    newest = Backup.objects.order_by("-made_at").values_list("made_at", flat=True).first()
    if newest is None:
        yield note("no backup is recorded", HOW)
    elif (age := timezone.now() - newest) > BACKUP_LATE:
        yield note(f"the newest backup is {age.days} days old ({newest:%Y-%m-%d})", HOW)
