"""Indexes set aside while millions of rows come: building them afterwards takes a third."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import connection

from tests.bench.archive.copies import run_sql

# Those of constraints stay: foreign keys of other tables need them.
DEFINITIONS = """
SELECT i.indexname, i.indexdef FROM pg_indexes AS i
WHERE i.tablename = ANY (%s) AND NOT EXISTS (
    SELECT FROM pg_constraint AS c WHERE c.conindid = format('%%I', i.indexname)::regclass
)
"""


@contextmanager
def indexes_aside(tables: Sequence[str]) -> Iterator[None]:
    """Drop the indexes of these tables and create them again, in the caller's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(DEFINITIONS, [list(tables)])
        found = list(cursor.fetchall())
    for name, _definition in found:
        run_sql(f'DROP INDEX "{name}"')
    yield
    for _name, definition in found:
        run_sql(definition)
