"""Daily tasks of results."""

from __future__ import annotations

from celery import shared_task

from apps.common.services import retention_apply
from apps.results.services.downsampling import RETENTION


@shared_task(name="results.retention")
def retention() -> None:
    """Downsample due series."""
    retention_apply(RETENTION)
