"""A session lasts until nobody has used it for BENCHLAB_SESSION_IDLE_MINUTES."""

from __future__ import annotations

import time

from django.conf import settings
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin

USED = "used"
"""When the session was last used, in seconds since 1970, to a minute or so."""
STEPS = 60


class KeepSessionInUse(MiddlewareMixin):
    """Writes the session anew when somebody uses it, at most every 60th of its life: the database
    counts its end from the last write.

    What an open page asks for by itself (polling, the live stream) is no use: a page that nobody
    looks at does not keep somebody logged in.
    """

    def process_request(self, request: HttpRequest) -> None:
        session = request.session
        if not session.session_key or is_by_itself(request) or not request.user.is_authenticated:
            return
        now, life = int(time.time()), settings.SESSION_COOKIE_AGE
        if now - session.get(USED, 0) >= max(1, min(60, life // STEPS)):
            session[USED] = now


def is_by_itself(request: HttpRequest) -> bool:
    """Whether the page asked, not the person in front of it."""
    if request.method not in ("GET", "HEAD"):
        return False
    accepts = request.headers.get("Accept", "")
    return "HX-Request" in request.headers or accepts.startswith("text/event-stream")
