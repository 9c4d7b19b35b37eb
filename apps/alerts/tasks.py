"""Tasks: each minute detection and delivery, each day retention."""

from __future__ import annotations

from celery import shared_task

from apps.alerts.services.evaluate import alerts_evaluate
from apps.alerts.services.retention import RETENTION
from apps.common.services import retention_apply


@shared_task(name="alerts.evaluate")
def evaluate() -> None:
    """Evaluate alerts for ended runs; send due notifications."""
    alerts_evaluate()


@shared_task(name="alerts.retention")
def retention() -> None:
    """Apply the retention rules."""
    retention_apply(RETENTION)
