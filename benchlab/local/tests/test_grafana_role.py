"""The role for Grafana reads two views and nothing else."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from benchlab.local.db_role import VIEWS


@pytest.fixture
def owner(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the tests' database."""
    database = connection.settings_dict["NAME"]
    url = make_conninfo("", **conninfo_to_dict(os.environ["DATABASE_URL"]) | {"dbname": database})
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.delenv("DATABASE_OWNER_URL", raising=False)
    return url


@pytest.fixture
def reader(owner: str, capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    """The address of a reader made twice: its newest password is valid."""
    name = f"reader_{uuid.uuid4().hex[:12]}"
    for _time in range(2):
        call_command("create_grafana_role", name)
    password = capsys.readouterr().out.split()[-1]
    yield make_conninfo("", **conninfo_to_dict(owner) | {"user": name, "password": password})
    with psycopg.connect(owner, autocommit=True) as made:
        made.execute(f"DROP OWNED BY {name}; DROP ROLE {name}".encode())


@pytest.mark.parametrize("view", VIEWS)
def test_it_reads_the_views(reader: str, view: str) -> None:
    with psycopg.connect(reader) as made:
        assert made.execute(f"SELECT * FROM {view}".encode()).fetchall() == []


def test_it_reads_no_table(reader: str, owner: str) -> None:
    with psycopg.connect(owner) as made:
        tables = [row[0] for row in made.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        )]  # fmt: skip
    assert len(tables) > 50
    with psycopg.connect(reader, autocommit=True) as made:
        for table in tables:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                made.execute(f'SELECT FROM "{table}"'.encode())


@pytest.mark.parametrize("statement", [
    "INSERT INTO grafana_measurement DEFAULT VALUES",
    "DELETE FROM grafana_series",
    "CREATE TABLE mine (number int)",
    "CREATE OR REPLACE VIEW grafana_series AS SELECT * FROM accounts_apitoken",
    "DROP VIEW grafana_measurement",
    "SET ROLE benchlab",
    "SELECT pg_read_file('/etc/passwd')",
])  # fmt: skip
def test_it_changes_nothing(reader: str, statement: str) -> None:
    with psycopg.connect(reader, autocommit=True) as made:
        made.execute("SET default_transaction_read_only = off")
        with pytest.raises(psycopg.Error):
            made.execute(statement.encode())


def test_a_long_statement_ends(reader: str) -> None:
    with psycopg.connect(reader) as made:
        assert made.execute("SHOW statement_timeout").fetchone() == ("1min",)


@pytest.mark.parametrize("right", ["SUPERUSER", "CREATEROLE", "table", "member"])
def test_a_role_with_other_rights_is_refused(owner: str, reader: str, right: str) -> None:
    name = conninfo_to_dict(reader)["user"]
    grants = {
        "table": f"GRANT SELECT ON accounts_user TO {name}",
        "member": f"GRANT pg_read_all_data TO {name}",
    }
    with psycopg.connect(owner, autocommit=True) as made:
        made.execute(grants.get(right, f"ALTER ROLE {name} {right}").encode())
    with pytest.raises(CommandError, match="has other rights"):
        call_command("create_grafana_role", name)


def test_benchlabs_own_user_is_refused(owner: str) -> None:
    with pytest.raises(CommandError, match="own user"):
        call_command("create_grafana_role", conninfo_to_dict(owner)["user"])


def test_a_name_is_no_sql(owner: str) -> None:
    name = f'a"; DROP TABLE accounts_team; --{uuid.uuid4().hex[:6]}'
    call_command("create_grafana_role", name)
    with psycopg.connect(owner, autocommit=True) as made:
        quoted = '"' + name.replace('"', '""') + '"'
        made.execute(f"DROP OWNED BY {quoted}; DROP ROLE {quoted}".encode())
        assert made.execute("SELECT count(*) FROM accounts_team").fetchone() == (0,)
