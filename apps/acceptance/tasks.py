"""Tasks: each minute the next step of open acceptances."""

from __future__ import annotations

from celery import shared_task

from apps.acceptance.services.advance import acceptances_advance


@shared_task(name="acceptance.advance")
def advance() -> None:
    """Advance open acceptances whose run has ended."""
    acceptances_advance()
