"""The set-up runs when code, static files or the database are not what it last ended with."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from benchlab.local.errors import StartError
from benchlab.local.paths import Home
from benchlab.ops import set_up as module
from benchlab.ops.set_up import compile_code, fingerprint, set_up


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An empty database of the test's own, named by DATABASE_URL."""
    server, name = os.environ["DATABASE_URL"], f"set_up_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        address = urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        monkeypatch.setenv("DATABASE_URL", address)
        yield address
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


class Steps:
    """Stands for the supervisor: the command "migrates", and its words are kept."""

    def __init__(self, home: Home, code: int = 0) -> None:
        self.home, self.code = home, code
        self.words: list[list[str]] = []

    def step(self, argv: list[str], env: object) -> int:
        self.words.append(argv[2:])
        (self.home.root / "static").mkdir(exist_ok=True)
        (self.home.root / "static/staticfiles.json").touch()
        execute(
            "CREATE TABLE IF NOT EXISTS django_migrations"
            " (id serial, app text, name text, applied timestamptz)"
        )
        execute("INSERT INTO django_migrations (app, name, applied) VALUES ('a', 'b', now())")
        return self.code


def execute(statement: str) -> None:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(statement.encode())


def test_it_runs_once_and_again_when_something_moved(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "compile_code", lambda: None)
    home, words = Home(tmp_path), []
    steps = Steps(home)
    for act in (None, None, "DELETE FROM django_migrations", None, "DROP TABLE django_migrations"):
        if act:
            execute(act)
        set_up(steps, home)  # type: ignore[arg-type]  # only `step` is asked
        words.append(len(steps.words))
    assert words == [1, 1, 2, 2, 3]
    assert steps.words[1:] == [["set_up", "--no-static"]] * 2
    monkeypatch.setattr(module, "fingerprint", lambda names: "another")
    set_up(steps, home)  # type: ignore[arg-type]  # only `step` is asked
    assert steps.words[3:] == [["set_up"]]


def test_a_failure_is_told_and_not_remembered(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "compile_code", lambda: None)
    steps = Steps(Home(tmp_path), code=3)
    for _ in range(2):
        with pytest.raises(StartError, match="code 3"):
            set_up(steps, Home(tmp_path))  # type: ignore[arg-type]  # only `step` is asked
    assert len(steps.words) == 2


def test_a_touched_file_is_another_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PROJECT", tmp_path)
    (tmp_path / "apps/tests").mkdir(parents=True)
    (tmp_path / "apps/a.py").write_text("x = 1\n")
    before = fingerprint(["apps"])
    (tmp_path / "apps/tests/test_a.py").write_text("")
    assert fingerprint(["apps"]) == before
    (tmp_path / "apps/a.py").write_text("x = 10\n")
    assert fingerprint(["apps"]) != before


def test_bytecode_is_written_whatever_python_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PROJECT", tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps/a.py").write_text("x = 1\n")
    compile_code()
    assert len(list(tmp_path.glob("apps/__pycache__/a.*.pyc"))) == 1
