"""The task that beat starts every minute."""

from __future__ import annotations

from celery import shared_task

from apps.alerts.services.evaluate import alerts_evaluate


@shared_task(name="alerts.evaluate")
def evaluate() -> None:
    """Judge what ended, and send what is due."""
    alerts_evaluate()
