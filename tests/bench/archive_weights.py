"""What the tables of an archive weigh, in bytes for each case."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg

SHOWN = 12
TABLES = """
SELECT c.relname, c.reltuples::bigint, pg_table_size(c.oid), pg_indexes_size(c.oid),
       pg_total_relation_size(c.oid)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY 5 DESC
"""


def weights(url: str, cases: int) -> Iterator[str]:
    """Yield the heaviest tables and the whole, as rows of a table of the docs."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(TABLES).fetchall()
    yield f"| table at {cases:,} cases | rows | MB | of it indexes | bytes a case |"
    yield "|---|---|---|---|---|"
    for name, count, _heap, indexes, total in rows[:SHOWN]:
        yield _row(f"`{name}`", count, indexes, total, cases)
    rest = rows[SHOWN:]
    if rest:
        count, _heap, indexes, total = (sum(row[n] for row in rest) for n in range(1, 5))
        yield _row(f"{len(rest)} others", count, indexes, total, cases)
    indexes, total = sum(row[3] for row in rows), sum(row[4] for row in rows)
    yield _row("all", sum(row[1] for row in rows), indexes, total, cases)


def _row(name: str, count: int, indexes: int, total: int, cases: int) -> str:
    mb = 1024**2
    return (
        f"| {name} | {count:,} | {total / mb:,.0f} | {indexes / mb:,.0f} | {total / cases:,.0f} |"
    )
