"""Work for whoever is logged in: a session lasts until nobody has used it for
BENCHLAB_SESSION_IDLE_MINUTES, and pages are in its user's units and time zone.
"""

from __future__ import annotations

import time

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from apps.accounts.models import User
from apps.common.domain.preferences import USUAL, prefer

PROGRAMS = "/api/"
USED = "used"
"""When the session was last used, in seconds since 1970, to a minute or so."""
STEPS = 60


class SessionIdleTimeoutMiddleware(MiddlewareMixin):
    """Writes the session anew when somebody uses it, at most every 60th of its life: the database
    counts its end from the last write.

    What an open page asks for by itself (polling) is no use: a page that nobody
    looks at does not keep somebody logged in.
    """

    def process_request(self, request: HttpRequest) -> None:
        session = request.session
        if not session.session_key or is_by_itself(request) or not request.user.is_authenticated:
            return
        now, life = int(time.time()), settings.SESSION_COOKIE_AGE
        if now - session.get(USED, 0) >= max(1, min(60, life // STEPS)):
            session[USED] = now


class PreferencesMiddleware(MiddlewareMixin):
    """Makes the reader's preferences known while a page is made. Programs get what everybody
    gets.
    """

    def process_request(self, request: HttpRequest) -> None:
        mine = USUAL
        if request.session.session_key and not request.path.startswith(PROGRAMS):
            user = request.user
            mine = user.preferences if isinstance(user, User) else USUAL
        prefer(mine)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        prefer(USUAL)
        return response


def is_by_itself(request: HttpRequest) -> bool:
    """Whether the page asked, not the person in front of it."""
    return request.method in ("GET", "HEAD") and "HX-Request" in request.headers
