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


@contextmanager
def fresh_connection() -> Iterator[None]:
    """For a thread that works for many and goes on: a connection that broke, or is too old, is
    closed before; inside a transaction it stays."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
    yield
