"""A database that other migration files made is refused and left as it is."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from benchlab.local.errors import StartError
from benchlab.local.paths import PROJECT, Home
from benchlab.ops.archive import read_manifest
from benchlab.ops.backup import backup, restore
from benchlab.ops.migration_files import ANOTHER_VERSION, STORED, migrations_sha256


@pytest.fixture
def database() -> Iterator[str]:
    """The address of an empty database."""
    server, name = os.environ["DATABASE_URL"], f"version_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def migrate(database: str, *options: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "blobs", "--verbosity=0", *options],
        cwd=PROJECT, env=os.environ | {"DATABASE_URL": database},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


def one(database: str, statement: str) -> object:
    with psycopg.connect(database, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return (cursor.fetchone() or (None,))[0] if cursor.description else None


def applied(database: str) -> object:
    return one(database, "SELECT array_agg((app, name, applied)::text) FROM django_migrations")


def test_migrate_of_a_fresh_database_stores_the_hash_and_can_be_repeated(database: str) -> None:
    assert migrate(database, "--plan")[0] == 0
    assert one(database, "SELECT to_regclass('django_migrations')") is None
    assert migrate(database) == (0, "")
    assert one(database, STORED) == migrations_sha256()
    assert migrate(database) == (0, "")


@pytest.mark.parametrize("stored", ["'another'", "NULL"])
def test_migrate_of_another_database_is_refused(database: str, stored: str) -> None:
    one(database, "CREATE TABLE django_migrations (id serial, app text, name text, applied date)")
    one(database, f"COMMENT ON TABLE django_migrations IS {stored}")
    code, stderr = migrate(database)
    assert (code, stderr.strip()) == (1, f"CommandError: {ANOTHER_VERSION}")
    assert applied(database) is None


def test_restore_of_another_backup_is_refused_before_anything_is_written(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(database)
    monkeypatch.setenv("DATABASE_URL", database)
    same, other = tmp_path / "same.backup", tmp_path / "other.backup"
    backup(Home(tmp_path / "old").make(), [str(same)])
    assert read_manifest(same)["migrations"] == migrations_sha256()
    one(database, "COMMENT ON TABLE django_migrations IS 'another'")
    backup(Home(tmp_path / "old").make(), [str(other)])
    monkeypatch.delenv("DATABASE_URL")
    with pytest.raises(StartError, match="another development version"):
        restore(Home(tmp_path / "new"), [str(other)])
    assert not (tmp_path / "new").exists()


def test_hash_depends_on_path_and_content(tmp_path: Path) -> None:
    file = tmp_path / "apps/a/migrations/0001_initial.py"
    file.parent.mkdir(parents=True)
    seen = set()
    for name, content in (("0001_initial", "x"), ("0001_initial", "y"), ("0002_more", "y")):
        file = file.replace(file.with_stem(name)) if file.exists() else file
        file.write_text(content)
        seen.add(migrations_sha256(tmp_path))
    assert len(seen) == 3
