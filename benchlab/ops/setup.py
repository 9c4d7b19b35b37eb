"""Run `manage.py setup` before the processes start; collect static files if they changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from benchlab.local.errors import StartError
from benchlab.local.paths import PROJECT, Home
from benchlab.local.processes import Supervisor
from benchlab.local.stack import manage_command, owner_environment

SOURCES = ("static", "requirements.txt", "benchlab/settings.py", "apps/common/web/storage.py")


def setup(supervisor: Supervisor, home: Home) -> None:
    """Migrate the database and collect static files. Raises: StartError."""
    stamp, current = home.root / "static.sha256", fingerprint(PROJECT)
    collected = stamp.exists() and stamp.read_text() == current
    collected = collected and (home.root / "static/staticfiles.json").exists()
    command = manage_command("setup", *(["--no-static"] if collected else []))
    if code := supervisor.step(command, owner_environment()):
        raise StartError(f"manage.py setup failed with code {code}; see above.")
    stamp.write_text(current)


def fingerprint(project: Path) -> str:
    """Return a hash of names, sizes and times of the static sources."""
    digest = hashlib.sha256(str(project).encode())
    for path in _files(project):
        stat = path.stat()
        digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _files(project: Path) -> Iterator[Path]:
    for name in SOURCES:
        source = project / name
        yield from sorted(source.rglob("*")) if source.is_dir() else [source]
