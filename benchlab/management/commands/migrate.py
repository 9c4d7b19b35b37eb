"""`manage.py migrate`, which first checks whether this version upgrades the database."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from benchlab.ops.database_version import (
    code_version,
    stored_version,
    upgrade_begin,
    upgrade_end,
    version_create,
)
from benchlab.ops.upgrade import database_findings

LOCK = 7_261_950  # key of the advisory lock of whoever migrates


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        changes = not (options["plan"] or options["check_unapplied"])
        if changes:
            # Several machines may start at once: the others wait, and then have nothing to do.
            _execute(connection, "SELECT pg_advisory_lock(%s)")
        try:
            self._checked(connection, changes, *args, **options)
        finally:
            if changes and connection.is_usable():
                _execute(connection, "SELECT pg_advisory_unlock(%s)")

    def _checked(
        self, connection: BaseDatabaseWrapper, changes: bool, *args: Any, **options: Any
    ) -> None:
        findings = list(database_findings(connection))
        if refused := [finding for finding in findings if finding.level == "wrong"]:
            raise CommandError("\n".join(f"{each.text}. {each.todo}." for each in refused))
        for each in findings:
            if each.level == "note" and options["verbosity"] > 0:
                self.stdout.write("\n".join(each.lines()))
        if changes:
            _begin(connection)
        super().handle(*args, **options)
        if changes and not _is_pending(connection):
            upgrade_end(connection)


def _begin(connection: BaseDatabaseWrapper) -> None:
    stored = stored_version(connection)
    code = code_version()
    if stored is None:
        version_create(connection)
    elif (stored.version, stored.migrations) != (code.version, code.migrations):
        upgrade_begin(connection)


def _is_pending(connection: BaseDatabaseWrapper) -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _execute(connection: BaseDatabaseWrapper, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, [LOCK])
