"""Each app has one initial migration and, for what Django cannot say, one of SQL."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection

ROOT = settings.BASE_DIR
NAMES = {"__init__.py", "0001_initial.py", "0002_sql.py"}


def test_migrations_of_each_app_are_initial_and_sql() -> None:
    for folder in ROOT.glob("apps/*/migrations"):
        assert {path.name for path in folder.glob("*.py")} <= NAMES, folder


@pytest.mark.django_db
def test_migrations_of_the_models_are_complete() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.django_db
def test_constraints_and_indexes_of_models_are_in_the_database() -> None:
    """A migration that renames or drops a column can drop them without a word."""
    expected = {
        item.name
        for model in apps.get_models()
        if model.__module__.startswith("apps.")
        for item in (*model._meta.constraints, *model._meta.indexes)
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT conname FROM pg_constraint UNION SELECT relname FROM pg_class")
        names = {name for (name,) in cursor.fetchall()}

    assert expected
    assert expected <= names


@pytest.mark.django_db
def test_triggers_guard_the_audit_record_alone() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname, count(*) FROM pg_trigger WHERE NOT tgisinternal GROUP BY 1")
        triggers = dict(cursor.fetchall())

    assert triggers == {
        "accounts_audit_stays": 1,
        "accounts_audit_stays_whole": 1,
    }
