"""A backup comes back whole: every row, every byte, in an empty home; and nothing else is
touched.
"""

from __future__ import annotations

import os
import stat
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from apps.accounts.models import Role
from apps.accounts.tests.factories import create_user
from apps.blobs.models import BlobStore
from apps.common.models import Backup
from apps.inventory.tests.factories import create_directory
from apps.runs.models import Attempt, Case
from apps.runs.services.artifacts import artifact_of
from apps.runs.tests.factories import create_attempt, create_run
from benchlab.local.errors import StartError
from benchlab.local.locks import FileLock
from benchlab.local.paths import Home
from benchlab.local.postgres import Postgres
from benchlab.local.processes import running
from benchlab.local.stack import SERVERS_LOCK
from benchlab.ops.archive import read_manifest
from benchlab.ops.backup import backup, restore, verified
from benchlab.ops.dump import row_counts
from benchlab.version import VERSION
from tests.harness.s3_fixtures import storage_options

CONTENT = os.urandom(200_000)
KEY = "x" * 43 + "="
Rows = dict[str, int]


@pytest.fixture
def database(transactional_db: None) -> str:
    """The test's database with a run whose attempt has an artifact; its address in libpq's form."""
    owner = create_user(role=Role.OPERATOR)
    run = create_run(owner=owner, target=create_directory(owner=owner))
    attempt = create_attempt(Case.objects.filter(run=run)[0])
    artifact_of(attempt, "stdout", CONTENT).save()
    named = connection.settings_dict
    url, _, rest = os.environ["DATABASE_URL"].partition("?")
    return f"{url.rpartition('/')[0]}/{named['NAME']}" + (f"?{rest}" if rest else "")


@pytest.fixture
def kept_as_files(settings: Settings, tmp_path: Path, database: str) -> Path:
    """One more artifact, which is a file: its path."""
    settings.ARTIFACT_STORE = BlobStore.FILES
    folder = tmp_path / "old/artifacts"
    storage_options(settings, "artifacts-files", {"location": folder})
    artifact_of(Attempt.objects.get(), "stderr", CONTENT[::-1]).save()
    (path,) = folder.glob("??/*")
    return Path(path)


@pytest.fixture(autouse=True)
def no_secrets_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BENCHLAB_ENCRYPTION_KEYS", "BENCHLAB_ENCRYPTION_KEYS_FILE"):
        monkeypatch.delenv(name, raising=False)


def make_home(path: Path, key: str = "") -> Home:
    home = Home(path)
    home.make()
    if key:
        (path / "secrets").mkdir(mode=0o700)
        (path / "secrets/benchlab_encryption_keys").write_text(key)
    return home


@contextmanager
def embedded(home: Home) -> Iterator[str]:
    """The home's own server as bin/up runs it, its folders locked; the address."""
    postgres = Postgres.at(home)
    with FileLock(home.root / SERVERS_LOCK), running(postgres.service()):
        yield postgres.url


def held_in(url: str) -> tuple[Rows, bytes]:
    """Rows of each table, and the artifact's packed bytes."""
    with psycopg.connect(url) as made:
        kept = made.execute("SELECT content FROM blobs_blobcontent").fetchall()
        return row_counts(made), b"".join(bytes(row[0]) for row in kept)


def test_an_empty_home_gets_every_row_and_byte_back(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    old, new = make_home(tmp_path / "old", KEY), make_home(tmp_path / "new")
    file, keys = tmp_path / "benchlab.backup", tmp_path / "benchlab.keys"
    before = held_in(database)
    assert backup(old, [str(file), "--secrets", str(keys)]) == 0
    assert KEY.encode() not in file.read_bytes()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, keys)] == [0o600, 0o600]

    monkeypatch.delenv("DATABASE_URL")
    assert restore(new, [str(file), "--secrets", str(keys)]) == 0
    with embedded(new) as url:
        assert held_in(url) == before
        assert before[0]["public.runs_artifact"] == 1
        assert (new.root / "secrets/benchlab_encryption_keys").read_text() == KEY
        # As bin/up runs: its server answers, and is asked while it works.
        again = tmp_path / "again.backup"
        assert backup(new, [str(again)]) == 0
        assert verified(again)["rows"] == before[0]
        with pytest.raises(StartError, match="holds tables already"):
            restore(new, [str(file)])


def test_backup_is_recorded_with_its_file_and_size(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.delenv("SECRET_KEY", raising=False)
    file = tmp_path / "benchlab.backup"
    backup(make_home(tmp_path / "keyless"), [str(file)])
    (row,) = Backup.objects.all()
    assert (row.name, row.size_bytes, row.version) == (str(file), file.stat().st_size, VERSION)
    assert row.made_at <= row.recorded_at
    assert not (tmp_path / "keyless/secrets").exists()
    assert read_manifest(file)["rows"]["public.common_backup"] == 0


def test_backup_that_cannot_be_recorded_is_whole(
    database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setenv("PGOPTIONS", "-c default_transaction_read_only=on")
    file = tmp_path / "benchlab.backup"
    assert backup(make_home(tmp_path / "old", KEY), [str(file)]) == 0
    assert "could not record it: " in capfd.readouterr().err
    assert verified(file)
    assert not Backup.objects.exists()


def test_files_of_raw_output_come_back_with_the_rows(
    database: str, kept_as_files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    old, file = make_home(tmp_path / "old", KEY), tmp_path / "benchlab.backup"
    backup(old, [str(file)])
    assert read_manifest(file)["files"] == 1
    new = make_home(tmp_path / "new")
    monkeypatch.delenv("DATABASE_URL")
    assert restore(new, [str(file)]) == 0
    there = new.root / "artifacts" / kept_as_files.relative_to(old.root / "artifacts")
    assert there.read_bytes() == kept_as_files.read_bytes()

    content = bytearray(file.read_bytes())
    content[content.index(kept_as_files.read_bytes()) + 1000] ^= 1
    (tmp_path / "bit").write_bytes(content)
    with pytest.raises(StartError, match="its files are not those"):
        verified(tmp_path / "bit")

    kept_as_files.unlink()
    monkeypatch.setenv("DATABASE_URL", database)
    with pytest.raises(StartError, match="is missing"):
        backup(old, [str(tmp_path / "second.backup")])
    assert not list(tmp_path.glob(".*unfinished"))


def test_an_empty_database_elsewhere_is_filled_too(
    database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    file = tmp_path / "benchlab.backup"
    before = held_in(database)
    backup(make_home(tmp_path / "old", KEY), [str(file)])
    assert "secret keys are not in it" in capfd.readouterr().out
    name = f"restored_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(database, autocommit=True) as made:
        made.execute(f'CREATE DATABASE "{name}"'.encode())
        there = database.replace(f"/{connection.settings_dict['NAME']}", f"/{name}")
        monkeypatch.setenv("DATABASE_URL", there)
        assert restore(make_home(tmp_path / "new"), [str(file)]) == 0
        assert held_in(there) == before
        made.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())
    assert "keys that encrypt its SSH keys are missing" in capfd.readouterr().err


def test_a_damaged_backup_is_refused_before_anything_is_written(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    file = tmp_path / "benchlab.backup"
    backup(make_home(tmp_path / "old", KEY), [str(file)])
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    for name, damaged in {
        "bit": bytes(content),
        "half": bytes(content[: len(content) // 2]),
    }.items():
        (tmp_path / name).write_bytes(damaged)
        with pytest.raises(StartError, match=r"damaged|whole backup|pg_restore failed"):
            restore(make_home(tmp_path / "new"), [str(tmp_path / name)])
    assert not (tmp_path / "new/postgres").exists()


def test_nothing_is_overwritten(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    file, keys = tmp_path / "benchlab.backup", tmp_path / "benchlab.keys"
    old = make_home(tmp_path / "old", KEY)
    file.write_text("mine")
    with pytest.raises(StartError, match="never overwrites"):
        backup(old, [str(file)])
    file.unlink()
    backup(old, [str(file), "--secrets", str(keys)])
    monkeypatch.delenv("DATABASE_URL")
    with pytest.raises(StartError, match="overwrites none"):
        restore(make_home(tmp_path / "new", "another key"), [str(file), "--secrets", str(keys)])
