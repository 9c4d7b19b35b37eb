"""Versions of benchlab and of what it runs on."""

from __future__ import annotations

import platform
from typing import TypedDict

from django.conf import settings
from django.db import connection

from benchlab.version import MIN_CLIENT


class Versions(TypedDict):
    """Versions as text; `api` is part of the URLs of the API. `min_client`: the oldest client."""

    version: str
    api: str
    min_client: str
    python: str
    postgresql: str


def versions() -> Versions:
    """Return the versions of this process and of the database server."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version')")
        postgresql = str(cursor.fetchone()[0])
    return {
        "version": settings.VERSION,
        "api": str(settings.REST_FRAMEWORK["DEFAULT_VERSION"]),
        "min_client": MIN_CLIENT,
        "python": platform.python_version(),
        "postgresql": postgresql,
    }
