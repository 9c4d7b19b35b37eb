"""Statistics of PostgreSQL's planner after many rows were written.

Autovacuum counts a table within a minute of a large write. A comparison in that minute would be
planned as if the tables were empty.
"""

from __future__ import annotations

from django.db import connection

MANY = 1_000
"""Cases written at once from which on `tables_analyze` is worth its second."""
TABLES = ("runs_case", "runs_attempt", "results_measurement", "results_figure")


def tables_analyze() -> None:
    """Analyze the tables that an import fills. The owner's function does it: before version 17,
    PostgreSQL has no privilege for it that the application's role could hold.
    """
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute("SELECT table_analyze(%s::regclass)", [table])
