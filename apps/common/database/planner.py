"""Planner statistics of PostgreSQL after a bulk insert.

Autovacuum analyses a table within a minute of a large insert. A comparison in that minute would be
planned for empty tables.
"""

from __future__ import annotations

from django.db import connection

MANY = 1_000
"""Number of cases from which `tables_analyze` is worth its second."""
TABLES = ("runs_case", "runs_attempt", "results_measurement", "results_resultsummary")


def tables_analyze() -> None:
    """Analyse the tables that an import fills.

    Calls a function of the tables' owner: before version 17, PostgreSQL has no privilege that
    permits the application's role to analyse.
    """
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute("SELECT table_analyze(%s::regclass)", [table])
