"""What the migrations made is kept, for these sources only, and is what they make."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from tests.harness.database import address
from tests.harness.kept import RULES, digest, filled

NAMES = ("kept_first", "kept_second")


@pytest.fixture
def empty() -> Iterator[list[str]]:
    """The addresses of two empty databases."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        for name in NAMES:
            server.execute(f'CREATE DATABASE "{name}"'.encode())
        yield [address(name) for name in NAMES]
        for name in NAMES:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def test_the_second_finds_what_the_first_made(empty: list[str], tmp_path: Path) -> None:
    asked: list[str] = []

    def migrate(url: str) -> None:
        asked.append(url)
        with psycopg.connect(url) as made:
            made.execute("CREATE TABLE made (id serial PRIMARY KEY, word text)")
            made.execute("INSERT INTO made (word) VALUES ('one'), ('two')")

    old = tmp_path / "of other sources.dump"
    old.touch()
    for url in empty:
        filled(url, migrate, tmp_path)
    assert asked == empty[:1]
    assert not old.exists()
    with psycopg.connect(empty[1]) as second:
        assert second.execute("SELECT id, word FROM made").fetchall() == [(1, "one"), (2, "two")]
        assert second.execute("SELECT nextval('made_id_seq')").fetchone() == (3,)


def test_who_comes_meanwhile_waits_for_the_first(empty: list[str], tmp_path: Path) -> None:
    asked: list[str] = []
    second = threading.Thread(target=lambda: filled(empty[1], asked.append, tmp_path))

    def migrate(url: str) -> None:
        asked.append(url)
        second.start()
        while not _waits_for(tmp_path / "lock"):
            assert second.is_alive()

    filled(empty[0], migrate, tmp_path)
    second.join(60)
    assert asked == empty[:1]


def _waits_for(file: Path) -> bool:
    """Whether somebody waits for the lock of this file (proc_locks(5))."""
    mark = f":{file.stat().st_ino} " if file.exists() else "none"
    lines = Path("/proc/locks").read_text().splitlines()
    return any("-> FLOCK" in line and mark in line for line in lines)


@pytest.mark.parametrize(
    "path",
    [
        "apps/runs/migrations/0001_initial.py",
        "apps/runs/models.py",
        "apps/runs/models/run.py",
        "benchlab/settings.py",
        "requirements.txt",
    ],
)
def test_other_sources_other_marks(path: str, tmp_path: Path) -> None:
    marks = {digest(tmp_path)}
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    for text in ("one", "two"):
        (tmp_path / path).write_text(text)
        marks.add(digest(tmp_path))
    assert len(marks) == 3


def test_migrations_import_nothing_of_ours_but_each_other() -> None:
    """Else what they make would depend on more than RULES name."""
    root = Path(__file__).resolve().parents[2]
    found = []
    for path in root.glob(RULES[0]):
        for line in path.read_text().splitlines():
            words = line.strip()
            if words.startswith(("from apps", "import apps", "from benchlab", "import benchlab")):
                found += [(path.name, words)] if ".migrations" not in words else []
    assert found == []


def test_the_tests_database_is_a_migrated_one(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM django_migrations WHERE app = 'runs'")
        files = Path(__file__).resolve().parents[2].glob("apps/runs/migrations/0*.py")
        assert cursor.fetchone() == (len(list(files)),)
