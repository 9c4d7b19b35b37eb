"""Database connections: whether they live, and those of code that runs outside Django's handling
of a request.
"""

from __future__ import annotations

import select
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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


def trust_quiet_connections() -> None:
    """At the start of a request: Django asks PostgreSQL whether a connection lives (SELECT 1, a
    round trip) only where something came over it meanwhile, such as its end.
    """
    each: Any
    for each in connections.all(initialized_only=True):
        if each.connection is not None and _is_quiet(each.connection):
            each.health_check_done = True


def _is_quiet(connection: Any) -> bool:
    """Whether the connection is open, with nothing to read: a server that ends it says so, and so
    does its machine.
    """
    if connection.closed:
        return False
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN | select.POLLRDHUP)
    return not poll.poll(0)
