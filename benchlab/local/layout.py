"""Addresses of the embedded servers of one BENCHLAB_HOME; settings and the supervisor agree on it.

A unix socket's path may have 107 bytes at most (man 7 unix), so sockets lie below the home only
where that is short enough, and else in a private folder below /tmp.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from urllib.parse import quote

DATABASE = "benchlab"
DATABASE_USER = "benchlab"  # made with the data folder: owns everything, a superuser
APPLICATION_USER = "benchlab_app"
# The longest name in the folder is the lock file beside PostgreSQL's socket.
LONGEST_FOLDER = 107 - len("/.s.PGSQL.5432.lock")  # bytes


def socket_folder(home: Path) -> Path:
    """The folder (mode 0700) of this home's sockets: same home and user, same folder."""
    near = home.absolute() / "run"
    # PostgreSQL reads its socket folders as a comma list with double quotes.
    plain = not set(str(near)) & set(",\"'\\")
    if plain and len(os.fsencode(near)) <= LONGEST_FOLDER:
        return near
    digest = hashlib.sha256(os.fsencode(home.absolute())).hexdigest()[:12]
    return Path("/tmp") / f"benchlab-{os.geteuid()}-{digest}"


def database_socket_folder(home: Path) -> Path:
    """The folder of PostgreSQL's socket: elsewhere when it runs as a system user
    (postgres_user.py).
    """
    data = home / "postgres"
    return data.readlink().parent / "run" if data.is_symlink() else socket_folder(home)


def default_database_url(home: Path) -> str:
    """The embedded server's address in libpq's form, for the application."""
    return database_url(APPLICATION_USER, database_socket_folder(home))


def default_owner_url(home: Path) -> str:
    """The same for the owner of its tables, who alone makes and changes them."""
    return database_url(DATABASE_USER, database_socket_folder(home))


def database_url(user: str, sockets: Path) -> str:
    return f"postgresql://{user}@/{DATABASE}?host={quote(str(sockets))}"


def artifacts_folder(home: Path) -> Path:
    """The folder of raw output that is kept as files: BENCHLAB_ARTIFACTS_FOLDER, or `artifacts` of
    the home.
    """
    named = os.environ.get("BENCHLAB_ARTIFACTS_FOLDER")
    return (Path(named) if named else home / "artifacts").absolute()


def default_redis_url(home: Path) -> str:
    """The embedded Valkey's address in redis-py's form."""
    return f"unix://{quote(str(socket_folder(home)))}/valkey.sock?db=0"
