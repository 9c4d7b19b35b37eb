"""Where the embedded servers of one BENCHLAB_HOME live: data inside it, sockets in a short private folder.

A unix socket's path may have 107 bytes at most (unix(7)), so sockets do not live below a home of any length.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

DATABASE = "benchlab"
DATABASE_USER = "benchlab"


def socket_folder(home: Path) -> Path:
    """The folder (mode 0700, made by the supervisor) of this home's sockets: same home, same folder."""
    digest = hashlib.sha256(str(home.resolve()).encode()).hexdigest()[:12]
    return Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()) / f"benchlab-{os.getuid()}-{digest}"


def default_database_url(home: Path) -> str:
    return f"postgresql://{DATABASE_USER}@/{DATABASE}?host={socket_folder(home)}"


def default_redis_url(home: Path) -> str:
    return f"unix://{socket_folder(home)}/valkey.sock?db=0"
