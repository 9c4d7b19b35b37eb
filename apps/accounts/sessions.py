"""Whether a session is good, asked of the database and not of what a request remembers."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from apps.accounts.models import User


def session_user(key: str | None) -> User | None:
    """The user who is logged in with this session; None for one that has ended, or whose user may
    not log in.
    """
    if not key:
        return None
    engine = import_module(settings.SESSION_ENGINE)
    asked = HttpRequest()
    asked.session = engine.SessionStore(key)
    user = get_user(asked)
    return user if user.is_active else None


def sessions_clear() -> None:
    """Delete the rows of sessions that have ended: nobody who stays away logs out."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()


def still_logged_in(request: HttpRequest) -> bool:
    """For answers that last: whether the request's session would be let in now."""
    return session_user(request.session.session_key) is not None
