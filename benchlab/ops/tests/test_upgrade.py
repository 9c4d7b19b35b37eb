"""`bin/manage upgrade --check` and `migrate` with versions of benchlab that the test makes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import NotSupportedError

from benchlab.local.paths import PROJECT
from benchlab.ops import upgrade
from benchlab.ops.tests.databases import empty_database
from benchlab.ops.upgrade import upgrade_findings
from tests.harness.database import migrated

SCHEMA = "SELECT count(*) FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid"
MIGRATION = """
from django.db import migrations

class Migration(migrations.Migration):
    dependencies = [("common", "{after}")]
    operations = [migrations.RunSQL({sql!r})]
"""


class Version:
    """A copy of the project with another version, other stops, and migrations of `common`."""

    def __init__(
        self, folder: Path, version: str, stops: Sequence[str], migrations: Sequence[str] = ()
    ) -> None:
        self.folder = folder / version
        no_tests = shutil.ignore_patterns("tests", "agent_tests", "__pycache__", "samples")
        for name in ("apps", "benchlab"):
            shutil.copytree(PROJECT / name, self.folder / name, ignore=no_tests)
        shutil.copy(PROJECT / "manage.py", self.folder)
        text = f"VERSION = {version!r}\nSTOPS = {tuple(stops)!r}\nMIN_CLIENT = '1.0.0'\n"
        (self.folder / "benchlab/version.py").write_text(text)
        there = self.folder / "apps/common/migrations"
        after = sorted(there.glob("[0-9]*.py"))[-1].stem
        for number, sql in enumerate(migrations, 9000):
            (there / f"{number}_made.py").write_text(MIGRATION.format(after=after, sql=sql))
            after = f"{number}_made"

    def manage(self, database: str, *words: str) -> tuple[int, str]:
        """The exit code and the output of a management command."""
        env = os.environ | {"DATABASE_URL": database, "BENCHLAB_HOME": str(self.folder / "home")}
        env |= {"SECRET_KEY": "test", "BENCHLAB_ENCRYPTION_KEYS": "x" * 43 + "="}
        env["PYTHONPATH"] = str(self.folder)
        done = subprocess.run(
            [sys.executable, "manage.py", *words], cwd=self.folder, env=env,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def database() -> Iterator[str]:
    with empty_database() as url:
        yield url


@pytest.fixture
def database_of_1_0_0() -> Iterator[str]:
    """As version 1.0.0 leaves it, without the time that its migrations take."""
    with empty_database(migrated()) as url:
        with psycopg.connect(url, autocommit=True) as made:
            made.execute("UPDATE benchlab_version SET version = '1.0.0', migrations = 'of 1.0.0'")
        yield url


def rows(database: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(database, autocommit=True) as made:
        return made.execute(statement.encode()).fetchall()


def state(database: str) -> list[tuple[object, ...]]:
    return [
        *rows(database, "SELECT app, name, applied FROM django_migrations ORDER BY id"),
        *rows(database, "SELECT version, migrations, upgrading_to FROM benchlab_version"),
        *rows(database, SCHEMA),
    ]


@pytest.mark.extended  # a dozen commands; test_upgrade_rules.py has the refusals
def test_two_versions_and_one_that_comes_too_early(database: str, tmp_path: Path) -> None:
    first = Version(tmp_path, "1.0.0", ["1.0.0"])
    second = Version(tmp_path, "1.1.0", ["1.0.0"], ["CREATE TABLE made (id int)"])
    third = Version(tmp_path, "3.0.0", ["1.0.0", "2.0.0"], ["CREATE TABLE made (id int)"])
    assert "the database is empty" in first.manage(database, "upgrade", "--check")[1]
    assert rows(database, "SELECT FROM pg_tables WHERE schemaname = 'public'") == []
    assert first.manage(database, "upgrade")[0] == 0
    made = state(database)

    # Refused before the first migration, by the check and by migrate, and nothing changes.
    for words in (["upgrade", "--check"], ["upgrade"], ["migrate"], ["migrate", "--plan"]):
        code, output = third.manage(database, *words)
        assert code == 1
        assert "of benchlab 1.0.0; 3.0.0 upgrades from 2.0.0 on" in output
        assert "Upgrade to 2.0.0, then 3.0.0." in output
        assert state(database) == made

    code, output = second.manage(database, "upgrade", "--check")
    assert code == 0
    assert "this is benchlab 1.1.0; it upgrades from 1.0.0 on" in output
    assert "the database is of benchlab 1.0.0; migrations to apply: 1" in output
    assert "note   no backup is recorded" in output
    assert "MiB are free" in output
    assert state(database) == made
    assert second.manage(database, "migrate")[0] == 0
    assert rows(database, "SELECT version, upgrading_to FROM benchlab_version") == [("1.1.0", "")]
    assert rows(database, "SELECT count(*) FROM made") == [(0,)]

    upgraded = state(database)
    code, output = first.manage(database, "migrate")
    assert code == 1
    assert "of benchlab 1.1.0, which is newer than this, 1.0.0" in output
    assert state(database) == upgraded


def test_an_upgrade_that_failed_is_repeated_or_refused(
    database_of_1_0_0: str, tmp_path: Path
) -> None:
    database = database_of_1_0_0
    first = Version(tmp_path, "1.0.0", ["1.0.0"])
    failing = ["CREATE TABLE made (id int)", "INSERT INTO wanted VALUES (1)"]
    second = Version(tmp_path, "1.1.0", ["1.0.0"], failing)
    code, output = second.manage(database, "migrate")
    assert code == 1
    assert "wanted" in output
    row = "SELECT version, upgrading_to FROM benchlab_version"
    assert rows(database, row) == [("1.0.0", "1.1.0")]

    code, output = first.manage(database, "migrate")
    assert code == 1
    assert "the upgrade from benchlab 1.0.0 to 1.1.0 has not ended" in output
    assert rows(database, row) == [("1.0.0", "1.1.0")]

    with psycopg.connect(database, autocommit=True) as made:
        made.execute("CREATE TABLE wanted (id int)")
    assert second.manage(database, "migrate")[0] == 0
    assert rows(database, row) == [("1.1.0", "")]
    assert rows(database, "SELECT count(*) FROM wanted") == [(1,)]

    upgraded = state(database)
    code, output = first.manage(database, "migrate")
    assert code == 1
    assert "of benchlab 1.1.0, which is newer than this, 1.0.0" in output
    assert state(database) == upgraded


@pytest.mark.django_db
def test_an_old_server_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise NotSupportedError("PostgreSQL 14 or later is required (found 13.1).")

    monkeypatch.setattr(connection, "ensure_connection", refuse)
    (_code, finding) = upgrade_findings()
    assert finding.level == "wrong"
    assert "found 13.1" in finding.text


@pytest.mark.django_db
@pytest.mark.parametrize(("free", "level"), [(0, "wrong"), (1 << 50, "ok"), (None, "note")])
def test_a_full_disk_is_refused(
    monkeypatch: pytest.MonkeyPatch, free: int | None, level: str
) -> None:
    pending = MigrationExecutor(connection).loader.disk_migrations
    monkeypatch.setattr(upgrade, "_pending", lambda _connection: list(pending.values()))
    monkeypatch.setattr(upgrade, "_free_bytes", lambda _connection: free)
    findings = [each for each in upgrade_findings() if "migrations write up to" in each.text]
    assert [each.level for each in findings] == [level]
    assert ("Free" in findings[0].todo) is (level == "wrong")


@pytest.mark.django_db
@pytest.mark.parametrize(("hours", "level"), [(3, "ok"), (50, "note")])
def test_the_age_of_the_newest_backup(
    monkeypatch: pytest.MonkeyPatch, hours: int, level: str
) -> None:
    table = f"(SELECT now() - make_interval(hours => {hours}) AS made_at) backups"
    monkeypatch.setattr(upgrade, "BACKUPS", "SELECT true")
    monkeypatch.setattr(upgrade, "NEWEST_BACKUP", f"SELECT max(made_at) FROM {table}")
    finding = upgrade._backup(connection)
    assert (finding.level, finding.text) == (level, f"the newest recorded backup is {hours} h old")
