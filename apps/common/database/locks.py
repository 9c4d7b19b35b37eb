"""One at a time, across threads, processes and machines."""

from __future__ import annotations

from django.db import connection


def advisory_lock(what: str) -> None:
    """Wait until nobody else is between this line, with the same `what`, and the end of their
    transaction (PostgreSQL's advisory locks). Must be called inside a transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [what])
