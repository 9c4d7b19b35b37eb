"""Retention of host facts and of unused disks."""

from __future__ import annotations

from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber

from apps.common.services import due_rows
from apps.inventory.models import Disk, Host, HostFacts
from apps.inventory.services.disks import UNUSED, disks_due

MAX_ROWS = 20
"""Maximum unreferenced host facts of each host."""


def facts_due() -> QuerySet[HostFacts]:
    """Return facts that no attempt and no host refers to, but the newest of each host."""
    in_use = Host.objects.filter(facts__isnull=False).values("facts")
    unused = HostFacts.objects.filter(attempts__isnull=True).exclude(pk__in=in_use)
    rank = Window(RowNumber(), partition_by=F("host"), order_by="-id")
    return unused.annotate(rank=rank).filter(rank__gt=MAX_ROWS)


RETENTION = [
    due_rows(
        Disk,
        f"forever; an unused one {UNUSED.days} days after it was last seen",
        disks_due,
        task="each host check",
    ),
    due_rows(
        HostFacts,
        f"while an attempt refers to them; of the others the newest {MAX_ROWS} of each host",
        facts_due,
        task="inventory.retention",
    ),
]
