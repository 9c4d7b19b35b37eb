"""Rows of the lake from the database, a few thousand at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

from apps.lake.domain.columns import Table

Rows = Sequence[tuple[Any, ...]]
AT_ONCE = 2_000
FEW = {"histograms": 200, "series": 100}
"""Tables whose rows hold lists of thousands of values."""


@contextmanager
def snapshot() -> Iterator[None]:
    """Make all queries see the same moment, in a transaction of its own."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # Cursors are read to their end; pages' limit does not apply to an export.
            cursor.execute("SET LOCAL cursor_tuple_fraction = 1")
            cursor.execute("SET LOCAL statement_timeout = 0")
        yield


def table_rows(table: Table, batches: Iterable[list[int]], *, people: bool) -> Iterator[Rows]:
    """Yield the rows of batches of keys by a server-side cursor."""
    sql = table.select(people=people)
    for keys in batches:
        with connection.chunked_cursor() as cursor:
            cursor.execute(sql, [keys])
            while rows := cursor.fetchmany(FEW.get(table.name, AT_ONCE)):
                yield rows
