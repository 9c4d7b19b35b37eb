"""The application's role has tables analyzed that it does not own, and no others."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from django.db import DatabaseError, connection, transaction

from apps.common.database import planner
from apps.common.database.planner import TABLES, tables_analyze

pytestmark = pytest.mark.django_db
ROLE = f"app_{uuid.uuid4().hex[:12]}"


def run_sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def estimated_rows(table: str) -> float:
    """The planner's estimate; -1 for a table that was never analyzed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE oid = %s::regclass", [table])
        return float(cursor.fetchone()[0])


@pytest.fixture
def application(db: None) -> Iterator[None]:
    """The rest of the test is done by a role that reads rows and owns nothing."""
    run_sql(f"CREATE ROLE {ROLE}")
    run_sql(f"GRANT USAGE ON SCHEMA public TO {ROLE}")
    run_sql("CREATE TABLE grown AS SELECT n FROM generate_series(1, 9000) AS n")
    run_sql(f"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO {ROLE}")
    run_sql(f"SET LOCAL ROLE {ROLE}")
    yield
    run_sql("RESET ROLE")


@pytest.mark.usefixtures("application")
def test_tables_analyze_by_application_counts_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "TABLES", (*TABLES, "grown"))
    tables_analyze()
    assert estimated_rows("grown") == 9000


@pytest.mark.usefixtures("application")
@pytest.mark.parametrize("table", ["pg_catalog.pg_class", "not_ours"])
def test_table_analyze_of_another_table_is_refused(table: str) -> None:
    run_sql("CREATE TEMP TABLE not_ours (n int)")
    with pytest.raises(DatabaseError), transaction.atomic():
        run_sql(f"SELECT table_analyze('{table}')")


@pytest.mark.usefixtures("application")
def test_analyze_by_application_itself_does_nothing() -> None:
    run_sql("ANALYZE grown")  # PostgreSQL warns and skips the table
    assert estimated_rows("grown") == -1
