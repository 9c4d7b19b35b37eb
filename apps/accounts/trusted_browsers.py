"""Browsers that logged in before, identified by a signed cookie.

Guessing from elsewhere does not lock them out.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

COOKIE = "device"
SALT = "apps.accounts.trusted_browsers"
AGE = 365 * 24 * 3600  # seconds


def browser_id(request: HttpRequest | None, username: str) -> str:
    """Return the browser's ID if it logged in as `username` before; else ""."""
    given = request.COOKIES.get(COOKIE, "") if request else ""
    try:
        name, number = signing.loads(given, salt=SALT, max_age=AGE)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    return str(number) if name == username else ""


def trust_browser(request: HttpRequest, response: HttpResponse, username: str) -> None:
    """Set or renew the cookie of a browser that logged in."""
    number = browser_id(request, username) or secrets.token_hex(16)
    response.set_cookie(
        COOKIE,
        signing.dumps([username, number], salt=SALT),
        max_age=AGE,
        path=reverse("login"),  # the pages of the login alone need it
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
