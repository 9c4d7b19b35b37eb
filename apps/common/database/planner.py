"""The planner's knowledge of tables after many rows were written.

PostgreSQL's autovacuum counts a table some minute after it grew, and after a crash of the server
perhaps never; until then a query may be planned as if the table were empty and take minutes.
"""

from __future__ import annotations

import logging

from django.db import DatabaseError, connection

log = logging.getLogger(__name__)

MANY = 1_000
"""Rows of one kind written at once from which on `tables_analyze` is worth its second."""
# Due are tables that have never been counted, that are larger by a twentieth (at least so many
# pages) than when they were, and those of which so many rows changed: the latter is told a second
# late and forgotten by a crash, the size of a file is not.
SHARE, PAGES, ROWS = 0.05, 32, 2_000
DUE = """
SELECT c.oid::regclass::text
FROM pg_class c LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid,
    LATERAL (SELECT pg_relation_size(c.oid) / current_setting('block_size')::bigint AS now) pages
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND pages.now > 0 AND (
    pages.now - c.relpages > greatest(%(pages)s, %(share)s * c.relpages)
    OR s.n_mod_since_analyze > greatest(%(rows)s, %(share)s * c.reltuples)
    OR NOT EXISTS (
        SELECT FROM pg_stats WHERE schemaname = 'public' AND tablename = c.relname
    )
) ORDER BY 1
"""


def tables_due() -> list[str]:
    """The tables that grew or changed since the planner last looked at them."""
    with connection.cursor() as cursor:
        cursor.execute(DUE, {"share": SHARE, "pages": PAGES, "rows": ROWS})
        return [name for (name,) in cursor.fetchall()]


def tables_analyze() -> list[str]:
    """Let PostgreSQL look at the tables that are due, one after another; their names. An error of
    the database is logged: queries are right without it.
    """
    done: list[str] = []
    try:
        for name in tables_due():
            with connection.cursor() as cursor:
                cursor.execute("SELECT table_analyze(%s::regclass)", [name])
            done.append(name)
    except DatabaseError:
        log.warning("the planner's knowledge of tables was not renewed", exc_info=True)
    return done
