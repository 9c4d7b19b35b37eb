"""Heartbeats of processes, in the database's time."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from apps.runs.models import Heartbeat

RETENTION = timedelta(days=1)


@transaction.atomic
def heartbeat_record(component: Heartbeat.Component, process_name: str) -> None:
    """Record a heartbeat; delete those older than a day."""
    Heartbeat.objects.bulk_create(
        [
            Heartbeat(
                component=component,
                process_name=process_name[:120],
                started_at=Now(),
                last_seen_at=Now(),
            )
        ],
        update_conflicts=True,
        unique_fields=["component", "process_name"],
        update_fields=["last_seen_at"],
    )
    Heartbeat.objects.filter(last_seen_at__lt=Now() - RETENTION).delete()


def heartbeat_end(component: Heartbeat.Component, process_name: str) -> None:
    """Delete the heartbeat of a process that shuts down."""
    Heartbeat.objects.filter(component=component, process_name=process_name[:120]).delete()
