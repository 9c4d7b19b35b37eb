"""Daily task of reports."""

from __future__ import annotations

from celery import shared_task

from apps.common.services import retention_apply
from apps.reports.services import RETENTION


@shared_task(name="reports.retention")
def retention() -> None:
    """Apply the retention rules."""
    retention_apply(RETENTION)
