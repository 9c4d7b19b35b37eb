"""What the migrations made, kept as a dump for whoever asks next.

To run them takes eleven seconds of a processor, in each half of bin/test and each call of a
developer's; to read a dump of what they made, half a second.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from benchlab.standalone import dump
from benchlab.standalone.errors import StartError

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "var" / "pytest-migrated"
RULES = (
    "apps/*/migrations/*.py",
    "apps/*/models.py",
    "apps/*/models/*.py",
    "apps/*/apps.py",
    "benchlab/settings.py",
    "benchlab/management/commands/migrate.py",
    "requirements*.txt",
)
"""All that decides what the migrations make: themselves, which import nothing else of ours, what
Django writes after them about the models there are, and the versions of the libraries."""


def filled(url: str, migrate: Callable[[str], None], folder: Path = FOLDER) -> None:
    """Bring the empty database at this address to what the migrations of these sources make."""
    path = folder / f"{digest(ROOT)}.dump"
    # Who comes while another runs them waits: to run them beside it would take longer.
    with _alone(folder, unless=path):
        if not path.exists():
            migrate(url)
            # Without PostgreSQL's client programs everybody runs the migrations.
            with contextlib.suppress(StartError):
                keep(url, path)
            return
    dump.restore(url, lambda write: _pour(path, write))


@contextlib.contextmanager
def _alone(folder: Path, unless: Path) -> Iterator[None]:
    """The only one of all processes between here and its end, unless the file is there already."""
    if unless.exists():
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def keep(url: str, path: Path) -> None:
    """Write the database to the file, in one step, and remove those of other sources."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with dump.connection(url) as made, tempfile.NamedTemporaryFile(dir=path.parent) as file:
        row = made.execute("SELECT pg_export_snapshot()").fetchone()
        assert row
        dump.dump(url, str(row[0]), lambda piece: _add(file, piece))
        file.flush()
        for old in path.parent.glob("*.dump"):
            old.unlink(missing_ok=True)
        # Somebody may have removed the folder with its lock: what the other one kept is as good.
        with contextlib.suppress(FileExistsError):
            os.link(file.name, path)


def digest(root: Path) -> str:
    """The sources' mark: the names and bytes of all that RULES name."""
    found = hashlib.sha256()
    for path in sorted(path for rule in RULES for path in root.glob(rule)):
        content = path.read_bytes()
        found.update(f"{path.relative_to(root)} {len(content)}\n".encode() + content)
    return found.hexdigest()


def _add(file: IO[bytes], piece: bytes) -> None:
    file.write(piece)


def _pour(path: Path, write: Callable[[bytes], object]) -> None:
    write(path.read_bytes())
