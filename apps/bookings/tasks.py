"""Daily task of bookings."""

from __future__ import annotations

from celery import shared_task

from apps.bookings.services.retention import RETENTION
from apps.common.services import retention_apply


@shared_task(name="bookings.retention")
def retention() -> None:
    """Apply the retention rules."""
    retention_apply(RETENTION)
