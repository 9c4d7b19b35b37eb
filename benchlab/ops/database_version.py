"""The row with the version of benchlab that made or upgraded the database.

`migrate` creates the table itself, as Django does with `django_migrations`: any version reads it
before its first migration. `upgrading_to` names an upgrade that has not ended.
"""

from __future__ import annotations

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from benchlab.ops.migration_files import VERSION_EXISTS, migrations_sha256
from benchlab.ops.upgrade_rules import StoredVersion
from benchlab.version import VERSION

TABLE = """
CREATE TABLE IF NOT EXISTS public.benchlab_version (
    id smallint PRIMARY KEY CHECK (id = 1),
    version text NOT NULL,
    migrations text NOT NULL,
    upgrading_to text NOT NULL DEFAULT '',
    upgrading_migrations text NOT NULL DEFAULT '',
    changed_at timestamptz NOT NULL DEFAULT now()
)
"""
ROW = """
SELECT version, migrations, upgrading_to, upgrading_migrations FROM public.benchlab_version
"""
# Before the first migration, so that a `migrate` that was interrupted can be repeated.
CREATE = """
INSERT INTO public.benchlab_version (id, version, migrations) VALUES (1, %s, %s)
"""
BEGIN = """
UPDATE public.benchlab_version
SET upgrading_to = %s, upgrading_migrations = %s, changed_at = now()
"""
END = """
UPDATE public.benchlab_version SET version = upgrading_to, migrations = upgrading_migrations,
    upgrading_to = '', upgrading_migrations = '', changed_at = now()
WHERE upgrading_to <> ''
"""


def code_version() -> StoredVersion:
    """Return what this code stores."""
    return StoredVersion(VERSION, migrations_sha256())


def stored_version(connection: BaseDatabaseWrapper) -> StoredVersion | None:
    """Return the row, None if the database has none."""
    with connection.cursor() as cursor:
        cursor.execute(VERSION_EXISTS)
        if not cursor.fetchone()[0]:
            return None
        cursor.execute(ROW)
        row = cursor.fetchone()
    return StoredVersion(*row) if row else None


def version_create(connection: BaseDatabaseWrapper) -> None:
    """Store the version of this code in an empty database."""
    code = code_version()
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(TABLE)
        cursor.execute(CREATE, [code.version, code.migrations])


def upgrade_begin(connection: BaseDatabaseWrapper) -> None:
    """Store that an upgrade to this code begins."""
    code = code_version()
    with connection.cursor() as cursor:
        cursor.execute(BEGIN, [code.version, code.migrations])


def upgrade_end(connection: BaseDatabaseWrapper) -> None:
    """Store that the upgrade has ended."""
    with connection.cursor() as cursor:
        cursor.execute(END)
