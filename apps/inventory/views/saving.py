"""Pages that change something answer by a service's result."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest

from apps.common.errors import ServiceError


def acted(request: HttpRequest, act: Callable[[], object], done: str) -> None:
    """Do it and say `done`, or say why it was refused."""
    try:
        act()
    except ServiceError as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, done)
