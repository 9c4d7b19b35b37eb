"""What the databases of the end-to-end tests are copied from, made once a session: the owner's
tables, the role that only works with rows, the first admin and a token of theirs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from benchlab.local.db_role import role_statements
from tests.harness.database import address, made_once, migrated, session

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "end-to-end password"
ROLE_PASSWORD = "rows-only"
# Two commands in one process: to start one costs more than either does.
FIRST_ADMIN = """
import os
import django
django.setup()
from django.core.management import call_command
call_command("create_first_admin", verbosity=0, stdout=open(os.devnull, "w"))
call_command("create_token", "admin", "end-to-end", "--may-wipe")
"""


@dataclass(frozen=True)
class Template:
    """A migrated database with the first admin, a token of this admin, and the role that only works
    with its rows.
    """

    database: str
    role: str
    token: str


def template(home: Path) -> Template:
    """The session's; `home` is a folder that the commands may use as BENCHLAB_HOME."""
    source, role = migrated(), f"e2e_app_{session()}"
    name = made_once(f"e2e_template_{session()}", lambda made: _fill(made, role, home), source)
    return Template(name, role, _told(name))


def as_role(database: str, role: str) -> str:
    """The address of a database on the tests' server, as a role of ours."""
    parts = urlsplit(address(database))
    where = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{role}:{ROLE_PASSWORD}@{where}"))


def _fill(database: str, role: str, home: Path) -> None:
    with psycopg.connect(address(database), autocommit=True) as connection:
        for statement in role_statements(role, ROLE_PASSWORD):
            connection.execute(statement.encode())
        token = _first_admin(as_role(database, role), home)
        # The other processes of the session find it here.
        connection.execute(f"COMMENT ON DATABASE \"{database}\" IS '{token}'".encode())


def _first_admin(database: str, home: Path) -> str:
    """Make the first admin; a token of theirs."""
    home.mkdir(parents=True, exist_ok=True)
    own = {
        "DATABASE_URL": database,
        "BENCHLAB_HOME": str(home),
        "BENCHLAB_ADMIN_PASSWORD": PASSWORD,
    }
    plain = {name: value for name, value in os.environ.items() if name != "DATABASE_OWNER_URL"}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_ADMIN],
        cwd=ROOT,
        env=plain | own,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip().split()[-1]


def _told(database: str) -> str:
    question = "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        row = connection.execute(question, [database]).fetchone()
    assert row
    return str(row[0])
