"""ETags of pages that change only with a version."""

from __future__ import annotations

import hashlib
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest
from django.utils.translation import get_language

from apps.common.domain.preferences import preferences
from apps.common.selectors import versions


def page_etag(request: HttpRequest, *own: object) -> str | None:
    """Return the ETag of a page from its versions and the user.

    None with pending messages, because a page shows them once, and while templates are edited.
    """
    if settings.DEBUG or len(get_messages(request)):
        return None
    user: Any = request.user
    reader = (
        *(user.pk, user.username, user.role, *sorted(user.teams.values_list("pk", flat=True))),
        *(get_language(), preferences()),
        request.COOKIES.get(settings.CSRF_COOKIE_NAME),  # the page's forms contain its CSRF token
    )
    names = versions()
    parts = (settings.VERSION, names.names, names.epoch, reader, own)
    return f'"{hashlib.sha256(repr(parts).encode()).hexdigest()}"'
