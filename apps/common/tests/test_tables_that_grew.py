"""PostgreSQL looks again at tables that grew, as the role that owns none of them."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from unittest import mock

import pytest
from django.db import DatabaseError, connection, transaction

from apps.common.database import planner
from apps.common.database.planner import tables_analyze, tables_due

pytestmark = pytest.mark.django_db
ROLE = f"app_{uuid.uuid4().hex[:12]}"


def run_sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def rows_known(table: str) -> float:
    """The rows that the planner believes the table to have; -1 where it never looked."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE oid = %s::regclass", [table])
        return float(cursor.fetchone()[0])


@pytest.fixture
def application(db: None) -> Iterator[None]:
    """The rest of the test is done by a role that reads rows and owns nothing."""
    run_sql(f"CREATE ROLE {ROLE}")
    run_sql(f"GRANT USAGE ON SCHEMA public TO {ROLE}")
    run_sql("CREATE TABLE grown AS SELECT n, n % 7 AS day FROM generate_series(1, 9000) AS n")
    run_sql(f"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO {ROLE}")
    run_sql(f"SET LOCAL ROLE {ROLE}")
    yield
    run_sql("RESET ROLE")


@pytest.mark.usefixtures("application")
def test_a_table_that_grew_is_looked_at_once_and_again_when_it_grew_more() -> None:
    assert "grown" in tables_due()
    assert "grown" in tables_analyze()
    assert rows_known("grown") == 9000
    assert "grown" not in tables_due()
    run_sql("INSERT INTO grown SELECT n, 1 FROM generate_series(1, 200) AS n")
    assert "grown" not in tables_due()
    run_sql("INSERT INTO grown SELECT n, 1 FROM generate_series(1, 9000) AS n")
    assert "grown" in tables_analyze()
    assert rows_known("grown") == 18_200


@pytest.mark.usefixtures("application")
def test_what_autovacuum_found_empty_is_due() -> None:
    run_sql("RESET ROLE")
    run_sql("CREATE TABLE young (n int)")
    run_sql("ANALYZE young")
    run_sql(f"GRANT SELECT ON young TO {ROLE}; SET LOCAL ROLE {ROLE}")
    assert "young" not in tables_due()
    run_sql("RESET ROLE")
    run_sql("INSERT INTO young SELECT generate_series(1, 9000)")
    run_sql(f"SET LOCAL ROLE {ROLE}")
    assert "young" in tables_analyze()
    assert rows_known("young") == 9000


@pytest.mark.usefixtures("application")
@pytest.mark.parametrize("table", ["pg_catalog.pg_class", "not_ours"])
def test_no_other_table_is_looked_at(table: str) -> None:
    run_sql("CREATE TEMP TABLE not_ours (n int)")
    with (
        pytest.raises(DatabaseError, match="is no table of benchlab"),
        transaction.atomic(),
    ):
        run_sql(f"SELECT table_analyze('{table}')")


@pytest.mark.usefixtures("application")
def test_the_role_itself_may_not() -> None:
    run_sql("ANALYZE grown")  # PostgreSQL warns and leaves it out
    assert rows_known("grown") == -1


def test_an_error_of_the_database_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level(logging.WARNING),
        mock.patch.object(planner, "tables_due", side_effect=DatabaseError("away")),
    ):
        assert tables_analyze() == []
    assert "was not renewed" in caplog.text
