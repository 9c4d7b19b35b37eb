"""Messages for the result of a service."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest

from apps.common.errors import ServiceError


def acted(request: HttpRequest, act: Callable[[], object], done: str) -> None:
    """Call a service; show `done`, or its refusal."""
    try:
        act()
    except ServiceError as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, done)
