"""Statement timeout of web requests, so that no request keeps a thread and a connection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from django.db import Error, connection
from django.db.backends.signals import connection_created

T = TypeVar("T")
PAGE_SECONDS = 15
EXPORT_SECONDS = 600


def limit_statements(seconds: int = PAGE_SECONDS) -> None:
    """Set statement_timeout, in seconds, for all connections of this web process."""
    connection_created.connect(
        partial(_limit, seconds), weak=False, dispatch_uid="limit_statements"
    )


def _limit(seconds: int, connection: Any, **_other: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, false)", [f"{seconds}s"])


@contextmanager
def long_statements(seconds: int = EXPORT_SECONDS) -> Iterator[None]:
    """Allow longer statements inside the context, for exports."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout')")
        (before,) = cursor.fetchone()
        cursor.execute("SELECT set_config('statement_timeout', %s, false)", [f"{seconds}s"])
    try:
        yield
    finally:
        # A new connection needs the setting again.
        with suppress(Error), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', %s, false)", [before])


def with_long_statements(pieces: Iterator[T]) -> Iterator[T]:
    """Yield the pieces of an iterator; its statements may take longer."""
    with long_statements():
        yield from pieces
