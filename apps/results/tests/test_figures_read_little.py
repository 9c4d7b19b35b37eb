"""Keeping the table of figures right costs as much as there are new results, whatever PostgreSQL
believes of the tables."""

from __future__ import annotations

import pytest
from django.db import connection

from apps.accounts.models import User
from apps.results.figure_table import figures_difference
from apps.results.models import Figure, Measurement
from apps.results.tests.factories import create_results
from apps.runs.models import Attempt, Case
from apps.runs.tests.factories import create_attempt, create_run

pytestmark = pytest.mark.django_db

FEW, MANY = 500, 5_000
# Rows read for one result: its measurement, attempt, case, run, target, tuning and member, its own
# figures, most of them twice; checks of keys read some of them again.
MOST_ROWS = 60
_READ = (
    "SELECT sum(seq_tup_read + COALESCE(idx_tup_fetch, 0))::bigint FROM pg_stat_xact_user_tables"
)


def rows_read() -> int:
    """Rows of all tables that were read since the transaction began."""
    with connection.cursor() as cursor:
        cursor.execute(_READ)
        return int(cursor.fetchone()[0])


def copies(attempt: Attempt, number: int, first: int = 1) -> None:
    """So many cases like this attempt's, each with an attempt and its measurement, in three
    statements."""
    for model, replaced in (
        (Case, {"id": "1000000 + n", "position": "n"}),
        (Attempt, {"id": "md5(n::text)::uuid", "case_id": "1000000 + n"}),
        (
            Measurement,
            {"id": "1000000 + n", "case_id": "1000000 + n", "attempt_id": "md5(n::text)::uuid"},
        ),
    ):
        names = [str(field.column) for field in model._meta.concrete_fields]
        columns = ", ".join(f'"{name}"' for name in names)
        values = ", ".join(replaced.get(name, f'"{name}"') for name in names)
        own = {Case: "id", Attempt: "case_id", Measurement: "case_id"}[model]
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {model._meta.db_table} ({columns}) SELECT {values} "
                f"FROM {model._meta.db_table}, generate_series({first}, {first + number - 1}) AS n "
                f"WHERE {own} = {attempt.case_id}"
            )


@pytest.fixture
def young(owner: User) -> Attempt:
    """The first results of a database of which PostgreSQL knows nothing: the plans that are made
    for them stay as they are.
    """
    with connection.cursor() as cursor:
        cursor.execute("DISCARD PLANS")
    attempt = create_results(create_attempt(create_run(owner=owner).cases.get()))
    copies(attempt, FEW)
    return attempt


def test_many_results_in_one_statement(young: Attempt) -> None:
    before = rows_read()
    copies(young, MANY, FEW + 1)
    assert rows_read() - before < MOST_ROWS * MANY
    assert Figure.objects.filter(counts=True).count() == 1 + FEW + MANY
    assert not figures_difference()


def test_all_of_them_again_and_gone(young: Attempt) -> None:
    copies(young, MANY, FEW + 1)
    before = rows_read()
    Measurement.objects.update(iops=2.0)
    assert rows_read() - before < MOST_ROWS * MANY
    assert set(Figure.objects.values_list("iops", flat=True)) == {2.0}
    before = rows_read()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM results_measurement WHERE id > 1000000")
    assert rows_read() - before < MOST_ROWS * MANY
    assert Figure.objects.count() == 1
