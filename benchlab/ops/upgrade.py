"""Checks before an upgrade of the database: versions, backup, disk. They change nothing."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.operations.models import ModelOperation
from django.db.utils import DatabaseError, NotSupportedError, OperationalError
from django.utils import timezone

from benchlab.ops.database_version import code_version, stored_version
from benchlab.ops.findings import Finding, note, ok, wrong
from benchlab.ops.home_check import LEAST_FREE, MIB
from benchlab.ops.upgrade_rules import StoredVersion, unknown_database, upgrade_refusal
from benchlab.version import STOPS

BACKUP_AGE = timedelta(days=1)
# The record may be missing: its table is younger than the version table.
BACKUPS = "SELECT to_regclass('public.common_backup') IS NOT NULL"
NEWEST_BACKUP = "SELECT max(made_at) FROM public.common_backup"
LARGEST = """
SELECT coalesce(max(pg_total_relation_size(oid)), 0) FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""
SIZE = "SELECT coalesce(pg_total_relation_size(to_regclass(%s)), 0)"


def upgrade_findings(alias: str = "default") -> list[Finding]:
    """Return all findings; one is `wrong` if this code does not upgrade the database."""
    connection = connections[alias]
    code = ok(f"this is benchlab {code_version().version}; it upgrades from {STOPS[-1]} on")
    try:
        connection.ensure_connection()
    except NotSupportedError as error:
        return [code, wrong(str(error), "Upgrade PostgreSQL first: dump, newer server, restore")]
    except OperationalError as error:
        reason = str(error).strip().partition("\n")[0]
        return [code, wrong(f"the database does not answer: {reason}", "Start it, and try again")]
    return [code, *database_findings(connection), _programs(connection)]


def database_findings(connection: BaseDatabaseWrapper) -> Iterator[Finding]:
    """Check the version of the database, then what its migrations need."""
    if not connection.introspection.table_names():
        yield ok("the database is empty")
        return
    stored = stored_version(connection)
    refusal = version_refusal(stored)
    if refusal or stored is None:
        yield refusal or unknown_database()
        return
    pending = _pending(connection)
    text = f"the database is of benchlab {stored.version}"
    if stored.upgrading_to:
        text += f", an upgrade to {stored.upgrading_to} has not ended"
    yield ok(f"{text}; migrations to apply: {len(pending)}")
    if pending:
        yield _backup(connection)
        yield _disk(connection, pending)


def version_refusal(stored: StoredVersion | None) -> Finding | None:
    """Return why this code does not upgrade a database that has tables."""
    return upgrade_refusal(stored, code_version(), STOPS) if stored else unknown_database()


def _pending(connection: BaseDatabaseWrapper) -> list[Migration]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [migration for migration, _backwards in plan]


def _programs(connection: BaseDatabaseWrapper) -> Finding:
    server = str(_value(connection, "SELECT current_setting('server_version')"))
    return ok(f"PostgreSQL {server}, Python {platform.python_version()}")


def _backup(connection: BaseDatabaseWrapper) -> Finding:
    todo = "Make one with bin/manage backup FILE: no migration is undone without it"
    exists = _value(connection, BACKUPS)
    made = _value(connection, NEWEST_BACKUP) if exists else None
    if not isinstance(made, datetime):
        return note("no backup is recorded", todo)
    hours = (timezone.now() - made).total_seconds() / 3600
    text = f"the newest recorded backup is {hours:.0f} h old"
    return ok(text) if hours <= BACKUP_AGE.total_seconds() / 3600 else note(text, todo)


def _disk(connection: BaseDatabaseWrapper, pending: list[Migration]) -> Finding:
    """Compare the free space with the largest migration; each is one transaction."""
    needed = max(_bytes_of(connection, migration) for migration in pending)
    text = f"the migrations write up to {needed / MIB:.0f} MiB"
    free = _free_bytes(connection)
    if free is None:
        return note(f"{text}, on the disk of another machine", "Check its free space there")
    text += f"; {free / MIB:.0f} MiB are free"
    if free < needed + LEAST_FREE:
        more = (needed + LEAST_FREE - free) / MIB
        return wrong(text, f"Free {more:.0f} MiB on the disk of the database first")
    return ok(text)


def _bytes_of(connection: BaseDatabaseWrapper, migration: Migration) -> int:
    """Return the size of the tables that a migration changes, which it may write anew.

    SQL and Python do not name their tables: the largest counts.
    """
    operations = [each for each in migration.operations if not isinstance(each, CreateModel)]
    models = [_model_name(operation) for operation in operations]
    tables = {f"public.{migration.app_label}_{name.lower()}" for name in models if name}
    total = sum(int(str(_value(connection, SIZE, table))) for table in tables)
    if None in models:
        total = max(total, int(str(_value(connection, LARGEST))))
    return total


def _model_name(operation: Operation) -> str | None:
    if isinstance(operation, ModelOperation):
        return str(operation.name)
    return getattr(operation, "model_name", None)


def _free_bytes(connection: BaseDatabaseWrapper) -> int | None:
    """Return the free space for the database; None if its server is elsewhere."""
    host = str(connection.settings_dict["HOST"])
    if not host.startswith("/"):
        return None
    try:
        folder = Path(str(_value(connection, "SELECT current_setting('data_directory')")))
        disk = os.statvfs(folder)
    except (DatabaseError, OSError):  # another role's, or a server in a container
        return None
    return disk.f_bavail * disk.f_frsize


def _value(connection: BaseDatabaseWrapper, statement: str, *values: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone()[0]
