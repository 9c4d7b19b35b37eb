"""Mutual exclusion across threads, processes and machines."""

from __future__ import annotations

from django.db import connection


def advisory_lock(what: str) -> None:
    """Wait for PostgreSQL's advisory lock `what`, held until the end of the transaction.

    Must be called inside a transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [what])
