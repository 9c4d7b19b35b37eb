"""benchlab's role in PostgreSQL works with rows; it changes neither tables nor the audit record."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from benchlab.local.server_urls import default_database_url, default_owner_url

Rows = list[tuple[Any, ...]]


@pytest.fixture
def role(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a role of this test's own, in the tests' database, whose owner is another."""
    name = f"app_{uuid.uuid4().hex[:12]}"
    database = connection.settings_dict["NAME"]
    owner = conninfo_to_dict(os.environ["DATABASE_URL"]) | {"dbname": database}
    own = make_conninfo("", **owner | {"user": name, "password": "it's secret"})
    monkeypatch.setenv("DATABASE_OWNER_URL", make_conninfo("", **owner))
    monkeypatch.setenv("DATABASE_URL", own)
    for _time in range(2):  # it may be repeated
        call_command("create_db_role")
    yield own
    with psycopg.connect(make_conninfo("", **owner), autocommit=True) as made:
        made.execute(f"DROP OWNED BY {name}; DROP ROLE {name}".encode())


def asked(address: str, statement: str) -> Rows:
    with psycopg.connect(address) as made:
        cursor = made.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def test_it_reads_and_writes_rows_and_is_no_superuser(role: str) -> None:
    asked(
        role, "INSERT INTO accounts_team (name, created_at, updated_at) VALUES ('a', now(), now())"
    )
    asked(role, "UPDATE accounts_team SET name = 'b'")
    assert asked(role, "SELECT name FROM accounts_team") == [("b",)]
    asked(role, "DELETE FROM accounts_team")
    told = "SELECT rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user"
    assert asked(role, told) == [(False, False, False)]


def test_it_gets_tables_that_come_later(role: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE later (number int)")
    try:
        asked(role, "INSERT INTO later VALUES (1)")
        assert asked(role, "SELECT * FROM later") == [(1,)]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE later")


@pytest.mark.parametrize("statement", [
    "UPDATE accounts_auditentry SET username = 'somebody else'",
    "UPDATE accounts_auditentry SET timestamp = now()",
    "UPDATE accounts_auditentry SET user_id = NULL, action = 'x'",
    "DELETE FROM accounts_auditentry",
    "TRUNCATE accounts_auditentry",
    "ALTER TABLE accounts_auditentry DISABLE TRIGGER ALL",
    "DROP TRIGGER accounts_audit_stays ON accounts_auditentry",
    "DROP TABLE accounts_auditentry",
    "SET session_replication_role = replica",
    "SET ROLE benchlab",
    "CREATE TABLE mine (number int)",
])  # fmt: skip
def test_what_was_done_stays(role: str, statement: str) -> None:
    columns = "timestamp, username, address, action, object_type, object_id, label, detail"
    values = "now(), 'owner', '', 'wipe', 'disk', '1', 'sdb', '{}'"
    asked(role, f"INSERT INTO accounts_auditentry ({columns}) VALUES ({values})")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        asked(role, statement)
    assert asked(role, "SELECT username, action FROM accounts_auditentry") == [("owner", "wipe")]


def test_an_owner_who_is_no_superuser_can_make_it(monkeypatch: pytest.MonkeyPatch) -> None:
    name = uuid.uuid4().hex[:12]
    server = conninfo_to_dict(os.environ["DATABASE_URL"])
    own = {
        kind: make_conninfo("", **server | {"user": f"{kind}_{name}", "dbname": f"d_{name}"})
        for kind in ("owner", "app")
    }
    monkeypatch.setenv("DATABASE_OWNER_URL", own["owner"])
    monkeypatch.setenv("DATABASE_URL", own["app"])
    with psycopg.connect(make_conninfo("", **server), autocommit=True) as made:
        made.execute(f"CREATE ROLE owner_{name} LOGIN CREATEROLE".encode())
        made.execute(f"CREATE DATABASE d_{name} OWNER owner_{name}".encode())
        try:
            for _time in range(2):
                call_command("create_db_role")
            asked(own["owner"], "CREATE TABLE later (number int)")
            asked(own["app"], "INSERT INTO later VALUES (1)")
        finally:
            made.execute(f"DROP DATABASE d_{name} WITH (FORCE)".encode())
            made.execute(f"DROP ROLE app_{name}, owner_{name}".encode())


def test_a_superuser_is_refused(role: str) -> None:
    name = conninfo_to_dict(role)["user"]
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER ROLE {name} SUPERUSER")
    with pytest.raises(CommandError, match="is a superuser"):
        call_command("create_db_role")


def test_two_addresses_with_one_user_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):
        monkeypatch.setenv(name, "postgresql://same@/benchlab")
    with pytest.raises(CommandError, match="two users"):
        call_command("create_db_role")


def test_the_embedded_server_has_both(tmp_path: Path) -> None:
    users = [
        conninfo_to_dict(url(tmp_path))["user"] for url in (default_database_url, default_owner_url)
    ]
    assert users == ["benchlab_app", "benchlab"]
