"""`manage.py migrate`, which refuses a database that other migration files made."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

from benchlab.ops.migration_files import ANOTHER_VERSION, STORED, migrations_sha256


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if connection.introspection.table_names():
            if _stored(connection) != migrations_sha256():
                raise CommandError(ANOTHER_VERSION)
        elif not (options["plan"] or options["check_unapplied"]):
            _store(connection)
        super().handle(*args, **options)


def _stored(connection: BaseDatabaseWrapper) -> str | None:
    with connection.cursor() as cursor:
        cursor.execute(STORED)
        (sha256,) = cursor.fetchone()
    return sha256 and str(sha256)


def _store(connection: BaseDatabaseWrapper) -> None:
    """Before the first migration, so that a `migrate` that was interrupted can be repeated."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        MigrationRecorder(connection).ensure_schema()
        cursor.execute(f"COMMENT ON TABLE django_migrations IS '{migrations_sha256()}'")
