"""Life cycle of the embedded PostgreSQL: initdb, clean up, run, query."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from benchlab.local.db_role import role_statements
from benchlab.local.errors import StartError
from benchlab.local.paths import Home
from benchlab.local.postgres_binaries import find_binaries, major_version
from benchlab.local.postgres_user import Identity, choose_identity
from benchlab.local.processes import Service, end_processes
from benchlab.local.server_urls import APPLICATION_USER, DATABASE, DATABASE_USER, database_url

SOCKET = ".s.PGSQL.5432"
NO_DURABILITY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@dataclass(frozen=True)
class Postgres:
    """Data folder and its server on a Unix socket."""

    identity: Identity
    log: Path
    settings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def at(cls, home: Home, settings: Mapping[str, str] | None = None) -> Postgres:
        """Return the server of a home without starting it."""
        identity = choose_identity(find_binaries(), home.postgres, home.run)
        return cls(identity, home.logs / "postgres.log", settings or {})

    @property
    def socket(self) -> Path:
        return self.identity.sockets / SOCKET

    @property
    def url(self) -> str:
        """Return the owner's URL in libpq's form, for migrations, backups, tests."""
        return database_url(DATABASE_USER, self.identity.sockets)

    @property
    def application_url(self) -> str:
        """Return the application's URL; `create_database` creates its role."""
        return database_url(APPLICATION_USER, self.identity.sockets)

    def query(self, text: str, database: str = "postgres") -> list[str]:
        """Return the first column of a statement's rows as text. Raises: psycopg.Error."""
        with psycopg.connect(
            host=str(self.identity.sockets), user=DATABASE_USER, dbname=database,
            connect_timeout=1, autocommit=True,
        ) as connection:  # fmt: skip
            cursor = connection.execute(text.encode())
            return [str(row[0]) for row in cursor] if cursor.description else []

    def ready(self) -> bool:
        """Return True if a connection succeeds."""
        try:
            return self.query("select 1") == ["1"]
        except psycopg.Error:
            return False

    def create_database(self) -> None:
        """Create benchlab's database and the application's role if missing."""
        if not self.query(f"select 1 from pg_database where datname = '{DATABASE}'"):
            self.query(f"create database {DATABASE}")
        for statement in role_statements(APPLICATION_USER):
            self.query(statement, DATABASE)

    def service(self) -> Service:
        """Return the service: the server in the foreground, SIGINT for a fast shutdown."""
        sockets = str(self.identity.sockets)
        chosen = {"listen_addresses": "", "unix_socket_directories": f'"{sockets}"'}
        chosen |= {"unix_socket_permissions": "0700", "timezone": "UTC", "log_timezone": "UTC"}
        options = [f"--{name}={value}" for name, value in (chosen | dict(self.settings)).items()]
        return Service(
            name="postgres",
            argv=(
                self._program("postgres"),
                "-D",
                str(self.identity.data),
                *options,
            ),
            log=self.log,
            env=_plain_environment(),
            stop_signal=signal.SIGINT,
            death_signal=signal.SIGINT,
            stop_seconds=60.0,
            prefix=self.identity.prefix,
            prepare=self.prepare,
            ready=self.ready,
        )

    def prepare(self) -> None:
        """Create the data folder if missing; end leftovers of an earlier server."""
        data = self.identity.data
        if not (data / "PG_VERSION").exists():
            self._initialise()
        self._check_version()
        # Also back ends of a killed server, which still write to the folder.
        end_processes(data, "postgres", signal.SIGINT, seconds=30)
        (data / "postmaster.pid").unlink(missing_ok=True)
        for name in (SOCKET, SOCKET + ".lock"):
            (self.identity.sockets / name).unlink(missing_ok=True)

    def _initialise(self) -> None:
        data = self.identity.data
        unfinished = data.with_name(data.name + ".new")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700, parents=True)
        self.identity.give(unfinished)
        command = [self._program("initdb"), "-D", str(unfinished), "-U", DATABASE_USER]
        command += ["--auth=trust", "--encoding=UTF8", "--data-checksums", *self._collation()]
        if self.settings.get("fsync") == "off":
            command.append("--no-sync")
        made = subprocess.run(
            [*self.identity.prefix, *command],
            env=_plain_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            raise StartError(f"initdb could not make {data}: {made.stderr.strip()}")
        if data.exists():
            data.rmdir()  # only an empty folder may exist
        unfinished.rename(data)

    def _program(self, name: str) -> str:
        return str(self.identity.binaries / name)

    def _collation(self) -> tuple[str, ...]:
        # The builtin provider (since 17) sorts independently of the C library.
        if major_version(self.identity.binaries) >= 17:
            return ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C")
        return ("--locale=C",)

    def _check_version(self) -> None:
        made_by = (self.identity.data / "PG_VERSION").read_text().strip()
        ours = major_version(self.identity.binaries)
        if made_by != str(ours):
            raise StartError(
                f"The data in {self.identity.data} is PostgreSQL {made_by}'s, the programs are "
                f"version {ours}: point BENCHLAB_PG_BINDIR at version {made_by}, make a backup "
                "(bin/manage backup), and restore it into a new BENCHLAB_HOME without it."
            )


def _plain_environment() -> dict[str, str]:
    # The caller's PG* variables and locale would change the server's behaviour.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return environment | {"LC_ALL": "C", "TZ": "UTC"}
