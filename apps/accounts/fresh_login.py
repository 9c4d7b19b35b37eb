"""Fresh login: how long ago the person of a session proved their identity.

Acts that destroy data or give access require it (OWASP ASVS 5.0, 7.5.3). allauth's
`reauthentication_required` is not used: it lets people pass who have neither a password nor a
second factor, which is everyone who came through OpenID Connect.
"""

from __future__ import annotations

import time

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from apps.accounts.models import ApiToken

FRESH = "fresh_login"
"""Session key: time of the last proof of identity in seconds since 1970."""
FRESH_SECONDS = 300


def login_mark_fresh(request: HttpRequest, at: float | None = None) -> None:
    """Record a proof of identity, now or at a time in seconds since 1970."""
    request.session[FRESH] = time.time() if at is None else at


def login_is_fresh(request: HttpRequest | Request, seconds: int = FRESH_SECONDS) -> bool:
    """Return True if the person proved their identity within `seconds`."""
    at = request.session.get(FRESH)
    return isinstance(at, int | float) and 0 <= time.time() - at <= seconds


def has_wipe_right(request: Request) -> bool:
    """Return True if a request of the API may wipe and give access.

    A token needs the right, which a page gives after a fresh login; a session needs a fresh login.
    """
    if isinstance(request.auth, ApiToken):
        return bool(request.auth.may_wipe)
    return login_is_fresh(request)


def require_wipe_right(request: Request) -> None:
    """Raise PermissionDenied, which names the right, unless the request has it."""
    if not has_wipe_right(request):
        raise PermissionDenied(needs_wipe_right())


def needs_wipe_right() -> str:
    return _(
        "This destroys data or gives access. It needs a token that may wipe (page API tokens), or "
        "a login of the last 5 minutes."
    )
