"""The task that beat starts every minute."""

from __future__ import annotations

from celery import shared_task

from .sweep import sweep


@shared_task(name="alerts.sweep")
def alerts_sweep() -> None:
    """Judge what ended, and send what is due."""
    sweep()
