"""Record that a process of benchlab is alive. The times are the database's."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from apps.runs.models import Pulse

KEPT = timedelta(days=1)


@transaction.atomic
def heartbeat_record(part: Pulse.Part, process: str) -> None:
    """Record a heartbeat of this process; delete those older than a day."""
    Pulse.objects.bulk_create(
        [Pulse(part=part, process=process[:120], since=Now(), at=Now())],
        update_conflicts=True,
        unique_fields=["part", "process"],
        update_fields=["at"],
    )
    Pulse.objects.filter(at__lt=Now() - KEPT).delete()


def heartbeat_end(part: Pulse.Part, process: str) -> None:
    """Delete the heartbeat of a process that ends in order."""
    Pulse.objects.filter(part=part, process=process[:120]).delete()
