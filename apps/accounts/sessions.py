"""Whether a session is still good, read from the database and not from the request."""

from __future__ import annotations

from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest

from apps.accounts.models import User


def session_user(key: str | None) -> User | None:
    """Return the user who is logged in with this session; None for one that has ended, or whose
    user may not log in."""
    if not key:
        return None
    request = HttpRequest()
    request.session = SessionStore(key)
    user = get_user(request)
    return user if isinstance(user, User) and user.is_active else None


def sessions_clear() -> None:
    """Delete the rows of sessions that have ended."""
    SessionStore.clear_expired()


def still_logged_in(request: HttpRequest) -> bool:
    """Return whether the request's session would be accepted now, for answers that last."""
    return session_user(request.session.session_key) is not None
