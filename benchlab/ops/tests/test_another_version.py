"""A database that other migration files made is refused and left as it is."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from benchlab.local.errors import StartError
from benchlab.local.paths import PROJECT, Home
from benchlab.management.commands.migrate import LOCK
from benchlab.ops.archive import read_manifest
from benchlab.ops.backup import backup, restore
from benchlab.ops.migration_files import migrations_sha256
from benchlab.ops.tests.databases import empty_database
from benchlab.version import VERSION
from tests.harness.database import migrated as database_of_session

ROW = "SELECT (version, migrations, upgrading_to)::text FROM benchlab_version"


@pytest.fixture
def database() -> Iterator[str]:
    """The address of an empty database."""
    with empty_database() as url:
        yield url


@pytest.fixture
def migrated() -> Iterator[str]:
    """The address of a migrated database."""
    with empty_database(database_of_session()) as url:
        yield url


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
    assert one(database, ROW) == f'({VERSION},{migrations_sha256()},"")'
    assert migrate(database) == (0, "")
    assert one(database, ROW) == f'({VERSION},{migrations_sha256()},"")'


def test_migrate_of_a_database_without_a_version_is_refused(database: str) -> None:
    one(database, "CREATE TABLE django_migrations (id serial, app text, name text, applied date)")
    code, stderr = migrate(database)
    assert code == 1
    assert "has tables, but no version of benchlab. Use the version that made it" in stderr
    assert applied(database) is None


def test_migrate_of_another_development_database_is_refused(migrated: str) -> None:
    before = applied(migrated)
    one(migrated, "UPDATE benchlab_version SET migrations = 'another'")
    code, stderr = migrate(migrated)
    assert code == 1
    assert "made by another development version" in stderr
    assert applied(migrated) == before


def test_a_second_migrate_waits_for_the_first(database: str) -> None:
    waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = "
    with psycopg.connect(database, autocommit=True) as first, ThreadPoolExecutor() as pool:
        first.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        second = pool.submit(migrate, database)
        while not one(database, f"{waits} current_database()"):
            assert not second.done(), second.result()
            time.sleep(0.1)
        assert one(database, "SELECT to_regclass('benchlab_version')") is None
        first.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
        assert second.result(120) == (0, "")
    assert one(database, "SELECT version FROM benchlab_version") == VERSION


def test_restore_of_another_backup_is_refused_before_anything_is_written(
    migrated: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", migrated)
    same, other = tmp_path / "same.backup", tmp_path / "other.backup"
    backup(Home(tmp_path / "old").make(), [str(same)])
    assert read_manifest(same)["migrations"] == migrations_sha256()
    one(migrated, "UPDATE benchlab_version SET migrations = 'another'")
    backup(Home(tmp_path / "old").make(), [str(other)])
    monkeypatch.delenv("DATABASE_URL")
    with pytest.raises(StartError, match="another development version"):
        restore(Home(tmp_path / "new"), [str(other)])
    assert not (tmp_path / "new").exists()


def test_restore_of_an_older_release_leaves_the_upgrade_to_migrate(
    migrated: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one(migrated, "UPDATE benchlab_version SET version = '1.0.0', migrations = 'older'")
    monkeypatch.setenv("DATABASE_URL", migrated)
    file = tmp_path / "old.backup"
    backup(Home(tmp_path / "old").make(), [str(file)])
    assert read_manifest(file)["database_version"] == "1.0.0"
    monkeypatch.setattr("benchlab.ops.backup.VERSION", "1.1.0")
    monkeypatch.setattr("benchlab.ops.backup.STOPS", ("1.1.0",))
    with empty_database() as empty:
        monkeypatch.setenv("DATABASE_URL", empty)
        with pytest.raises(StartError, match=r"1\.1\.0 upgrades from 1\.1\.0 on"):
            restore(Home(tmp_path / "new").make(), [str(file)])
        assert one(empty, "SELECT to_regclass('benchlab_version')") is None
        monkeypatch.setattr("benchlab.ops.backup.STOPS", ("1.0.0",))
        assert restore(Home(tmp_path / "new").make(), [str(file)]) == 0
        assert one(empty, "SELECT version FROM benchlab_version") == "1.0.0"


def test_hash_depends_on_path_and_content(tmp_path: Path) -> None:
    file = tmp_path / "apps/a/migrations/0001_initial.py"
    file.parent.mkdir(parents=True)
    seen = set()
    for name, content in (("0001_initial", "x"), ("0001_initial", "y"), ("0002_more", "y")):
        file = file.replace(file.with_stem(name)) if file.exists() else file
        file.write_text(content)
        seen.add(migrations_sha256(tmp_path))
    assert len(seen) == 3
