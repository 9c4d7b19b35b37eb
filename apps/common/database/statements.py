"""Limits of a statement of a web request: nobody waits longer for a page, and a request
that goes on holds a thread and a connection.
"""

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
    """From now on PostgreSQL cancels each statement of this process after so many seconds
    (statement_timeout). For web processes: migrations and workers may take longer.
    """
    connection_created.connect(
        partial(_limit, seconds), weak=False, dispatch_uid="limit_statements"
    )


def _limit(seconds: int, connection: Any, **_other: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, false)", [f"{seconds}s"])


@contextmanager
def long_statements(seconds: int = EXPORT_SECONDS) -> Iterator[None]:
    """Statements inside may take longer: those of an export."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout')")
        (before,) = cursor.fetchone()
        cursor.execute("SELECT set_config('statement_timeout', %s, false)", [f"{seconds}s"])
    try:
        yield
    finally:
        # A connection that broke takes its settings along.
        with suppress(Error), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', %s, false)", [before])


def with_long_statements(pieces: Iterator[T]) -> Iterator[T]:
    """The same pieces; the statements that make them may take longer."""
    with long_statements():
        yield from pieces
