"""Whether a session is good, asked of the database and not of what a request remembers."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from apps.accounts.models import AnyUser, User

BACKEND = "django.contrib.auth.backends.ModelBackend"


def user_of_session(request: HttpRequest) -> AnyUser:
    """The user who is logged in with the request's session. A row that came with the session is
    taken only where all that Django asks for holds; else Django itself finds out.
    """
    session = request.session
    named = session.get(SESSION_KEY)
    user: User | None = getattr(session, "beside", None)
    if user is None or named != str(user.pk) or session.get(BACKEND_SESSION_KEY) != BACKEND:
        return get_user(request)
    given = session.get(HASH_SESSION_KEY) or ""
    if user.is_active and constant_time_compare(given, user.get_session_auth_hash()):
        return user
    return get_user(request)


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
