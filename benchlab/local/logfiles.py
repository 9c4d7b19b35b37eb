"""Logs of what bin/up runs: readable by their owner only, and bounded in size.

The files stay open in processes that know nothing of it (PostgreSQL, Valkey, gunicorn), so a large
one is copied to NAME.log.1 and emptied; every process appends (O_APPEND), so it goes on at the
start. What is written between copy and emptying is lost: some lines at most.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import IO

LOG_LIMIT = 16 * 1024 * 1024  # bytes; one older file is kept
PRIVATE = 0o600


def open_log(path: Path) -> IO[bytes]:
    """Append to a log of mode 0600; a large one is set aside first."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    rotate(path)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    with contextlib.suppress(PermissionError):
        os.fchmod(descriptor, PRIVATE)
    return os.fdopen(descriptor, "ab")


def rotate(path: Path, limit: int = LOG_LIMIT) -> bool:
    """Set a log aside that is larger than `limit` bytes; whether it was. Never raises: on a full
    disk the older part is given up, so that the newer one has room.
    """
    older = path.with_name(f"{path.name}.1")
    try:
        if path.stat().st_size <= limit:
            return False
        try:
            shutil.copyfile(path, older)
            older.chmod(PRIVATE)
        except OSError:
            older.unlink(missing_ok=True)
        os.truncate(path, 0)
    except OSError:
        return False
    return True


def log_tail(path: Path, lines: int = 12) -> str:
    """The last lines of a log, for an error message."""
    try:
        with path.open("rb") as log:
            log.seek(max(0, path.stat().st_size - 8192))
            return "\n".join(log.read().decode(errors="replace").splitlines()[-lines:])
    except OSError:
        return ""
