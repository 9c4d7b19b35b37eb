"""Work before benchlab's processes start, and whether it has been done already.

A stamp in the home says for which code and which state of the database `manage.py set_up` last
ended well. The state is that of the table of migrations, with its times: another database, an empty
one and a restored one differ in it.
"""

from __future__ import annotations

import compileall
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchlab.local.errors import StartError
from benchlab.local.paths import PROJECT, Home
from benchlab.local.processes import Supervisor
from benchlab.local.stack import manage_command, owner_environment, say

CODE = ("apps", "benchlab", "requirements.txt", "CHANGELOG.md")
STATIC = ("static", "requirements.txt", "benchlab/settings.py", "apps/common/web/storage.py")
APPLIED = "SELECT md5(string_agg(concat(app, name, applied), ' ' ORDER BY id)) FROM {}"
TABLE = "django_migrations"


def set_up(supervisor: Supervisor, home: Home) -> None:
    """Bring database and files up to the code, where they are not. Raises StartError."""
    path = home.root / "set-up.json"
    done, code, static = _read(path), fingerprint(CODE), fingerprint(STATIC)
    collected = done.get("static") == static and (home.root / "static/staticfiles.json").exists()
    if collected and done.get("code") == code and done.get("database") == database_state():
        return _tell_login(home)
    if done.get("code") != code:
        compile_code()
    command = manage_command("set_up", *(["--no-static"] if collected else []))
    if number := supervisor.step(command, owner_environment()):
        raise StartError(f"manage.py set_up failed with code {number}; see above.")
    fresh = {"code": code, "static": static, "database": database_state()}
    path.with_suffix(".new").touch(mode=0o600)
    path.with_suffix(".new").write_text(json.dumps(fresh))
    path.with_suffix(".new").rename(path)
    return None


def compile_code() -> None:
    """Write the bytecode once, also where the environment forbids Python to do it by itself: each
    of our processes would compile everything again. A checkout we may not write to is left alone.
    """
    for name in ("apps", "benchlab"):
        if os.access(PROJECT / name, os.W_OK):
            compileall.compile_dir(PROJECT / name, quiet=2)


def fingerprint(names: Iterable[str]) -> str:
    """Names, sizes and times of the files below these places of the project."""
    digest = hashlib.sha256(str(PROJECT).encode())
    for name in names:
        for path in _files(PROJECT / name):
            found = path.stat()
            digest.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    for folder, inner, names in os.walk(place):
        inner[:] = sorted(name for name in inner if name not in ("__pycache__", "tests"))
        yield from (Path(folder, name) for name in sorted(names))


def database_state() -> str:
    """The migrations that were applied, and when; "" where there are none or nobody answers."""
    import psycopg  # from the environment, which is there by now

    try:
        with psycopg.connect(os.environ["DATABASE_URL"], connect_timeout=10) as connection:
            if connection.execute("SELECT to_regclass(%s)", [TABLE]).fetchone() == (None,):
                return ""
            row = connection.execute(APPLIED.format(TABLE)).fetchone()
    except psycopg.Error:
        return ""
    return str(row[0]) if row and row[0] else ""


def _read(path: Path) -> dict[str, str]:
    try:
        stamp = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def _tell_login(home: Home) -> None:
    kept = home.root / "secrets" / "admin-password"
    if kept.exists():
        say(f"The first admin's password is kept in {kept}")
