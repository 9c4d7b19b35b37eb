"""Sessions that have ended."""

from __future__ import annotations

from django.contrib.sessions.backends.db import SessionStore


def sessions_clear() -> None:
    """Delete the rows of sessions that have ended."""
    SessionStore.clear_expired()
