"""Database connections of code that runs outside Django's handling of a request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connections


@contextmanager
def no_connection_kept() -> Iterator[None]:
    """Gives the thread's connections back at the end; inside a transaction they stay."""
    try:
        yield
    finally:
        for connection in connections.all(initialized_only=True):
            if not connection.in_atomic_block:
                connection.close()
