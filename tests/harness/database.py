"""One migrated database for a whole session of tests; whoever needs a database copies it.

The migrations take some four seconds of a processor, a copy some tenths.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.apps import apps
from django.core.management.color import no_style
from django.db import connections
from django.test import TransactionTestCase

ROOT = Path(__file__).resolve().parents[2]
SESSION = "BENCHLAB_TEST_SESSION"
"""Names the session in the environment, where all of its processes find it."""
LOCK = 7_261_944
"""Key of the advisory lock of whoever makes the database."""
KEPT = frozenset({"django_content_type", "auth_permission"})
"""Tables whose rows the migrations made and no test changes."""


def pytest_configure(config: pytest.Config) -> None:
    """Give the session a name; the processes of xdist inherit it."""
    if not hasattr(config, "workerinput"):
        os.environ[SESSION] = str(os.getpid())


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the database, also from a server that outlives the session."""
    if hasattr(config, "workerinput"):
        return
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        for name in (_name(), f"e2e_template_{session()}"):
            for each in (name, f"{name}_unfinished"):
                connection.execute(f'DROP DATABASE IF EXISTS "{each}"')


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """pytest-django's database is a copy as well."""
    connections["default"].settings_dict["TEST"] |= {"TEMPLATE": migrated(), "MIGRATE": False}


@pytest.fixture(scope="session", autouse=True)
def _emptied_after_transactions() -> Iterator[None]:
    """Django removes the rows of KEPT too and makes them anew, one by one, after every test that
    commits: most of what such a test costs.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _case: empty("default"))
        yield


def empty(alias: str) -> None:
    """Remove every row but those of KEPT, and create the row of versions anew."""
    connection = connections[alias]
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    others = [name for name in tables if name not in KEPT]
    connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), others))
    # By the registry: this module is imported by commands that set up no Django.
    apps.get_model("common", "ResultsVersion").objects.using(alias).create(pk=1)


def migrated() -> str:
    """The session's migrated database, without rows but those of the migrations."""
    return made_once(_name(), lambda name: _migrate(address(name)))


def made_once(name: str, fill: Callable[[str], None], template: str = "template1") -> str:
    """A database of the session, on the server that DATABASE_URL names. The first process that asks
    makes it, under a name of which only `fill` is told until it is whole.
    """
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        known = connection.execute("SELECT FROM pg_database WHERE datname = %s", [name])
        if not known.fetchall():
            # Left by a process whose `fill` failed; nobody else waits for it.
            connection.execute(f'DROP DATABASE IF EXISTS "{name}_unfinished" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{name}_unfinished" TEMPLATE "{template}"')
            fill(f"{name}_unfinished")
            connection.execute(f'ALTER DATABASE "{name}_unfinished" RENAME TO "{name}"')
    return name


def address(database: str) -> str:
    """The owner's address of a database on the tests' server."""
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}"))


def session() -> str:
    """What names of the session's databases and roles end with."""
    return os.environ.get(SESSION, str(os.getpid()))


def _name() -> str:
    return f"benchlab_migrated_{session()}"


def _migrate(url: str) -> None:
    """As `bin/manage migrate` does it: by the owner of the database."""
    environment = os.environ | {"DATABASE_URL": url}
    environment.pop("DATABASE_OWNER_URL", None)
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"migrate: {done.stdout}{done.stderr}"
