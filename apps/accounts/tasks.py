"""Tasks that beat starts by itself, each day."""

from __future__ import annotations

from celery import shared_task
from django.contrib.sessions.backends.db import SessionStore


@shared_task(name="accounts.clear_sessions")
def clear_sessions() -> None:
    """Forget the sessions that have ended."""
    SessionStore.clear_expired()
