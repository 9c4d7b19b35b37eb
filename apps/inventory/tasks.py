"""Daily task of the inventory."""

from __future__ import annotations

from celery import shared_task

from apps.common.services import retention_apply
from apps.inventory.services.retention import RETENTION


@shared_task(name="inventory.retention")
def retention() -> None:
    """Apply the retention rules."""
    retention_apply(RETENTION)
