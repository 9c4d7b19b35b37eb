"""Transactions that cannot write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def read_only_transaction() -> Iterator[None]:
    """Let PostgreSQL refuse every write within.

    Inside another transaction it is a savepoint; writes are allowed again after its end.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
        yield
