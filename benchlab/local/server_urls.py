"""URLs of the embedded servers of a BENCHLAB_HOME, shared by settings and supervisor.

The path of a Unix socket has at most 107 bytes (man 7 unix). Sockets are below the home if that is
short enough, else in a private folder below /tmp.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from urllib.parse import quote

DATABASE = "benchlab"
DATABASE_USER = "benchlab"  # superuser that owns everything, created with the data folder
APPLICATION_USER = "benchlab_app"
# The longest file name in the folder is the lock of PostgreSQL's socket.
LONGEST_FOLDER = 107 - len("/.s.PGSQL.5432.lock")  # bytes


def socket_folder(home: Path) -> Path:
    """Return the folder (mode 0700) of this home's sockets, the same for each call of a user."""
    near = home.absolute() / "run"
    # PostgreSQL reads its socket folders as a comma list with double quotes.
    plain = not set(str(near)) & set(",\"'\\")
    if plain and len(os.fsencode(near)) <= LONGEST_FOLDER:
        return near
    digest = hashlib.sha256(os.fsencode(home.absolute())).hexdigest()[:12]
    return Path("/tmp") / f"benchlab-{os.geteuid()}-{digest}"


def database_socket_folder(home: Path) -> Path:
    """Return the folder of PostgreSQL's socket; another for a system user (postgres_user)."""
    data = home / "postgres"
    return data.readlink().parent / "run" if data.is_symlink() else socket_folder(home)


def default_database_url(home: Path) -> str:
    """Return the embedded server's URL for the application, in libpq's form."""
    return database_url(APPLICATION_USER, database_socket_folder(home))


def default_owner_url(home: Path) -> str:
    """Return the embedded server's URL for the owner of the tables."""
    return database_url(DATABASE_USER, database_socket_folder(home))


def database_url(user: str, sockets: Path) -> str:
    return f"postgresql://{user}@/{DATABASE}?host={quote(str(sockets))}"


def artifact_dir(home: Path) -> Path:
    """Return the folder of raw output: BENCHLAB_ARTIFACT_DIR, or `artifacts` in the home."""
    named = os.environ.get("BENCHLAB_ARTIFACT_DIR")
    return (Path(named) if named else home / "artifacts").absolute()


def default_redis_url(home: Path) -> str:
    """Return the embedded Valkey's URL in redis-py's form."""
    return f"unix://{quote(str(socket_folder(home)))}/valkey.sock?db=0"
