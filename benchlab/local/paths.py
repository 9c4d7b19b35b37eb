"""Folders of an installation, all below BENCHLAB_HOME."""

from __future__ import annotations

import contextlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from benchlab.local.errors import StartError
from benchlab.local.server_urls import socket_folder

PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Home:
    """Folders of one installation."""

    root: Path

    @property
    def postgres(self) -> Path:
        return self.root / "postgres"

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def tools(self) -> Path:
        return self.root / "tools"

    @property
    def venv(self) -> Path:
        return self.root / "venv"

    @property
    def run(self) -> Path:
        """Return the folder of the Unix sockets."""
        return socket_folder(self.root)

    def make(self) -> Home:
        """Create the folders that servers need."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.logs.mkdir(mode=0o700, exist_ok=True)
        with contextlib.suppress(PermissionError):
            self.logs.chmod(0o700)  # created by an earlier version or manually
        private_directory(self.run)
        return self


def home() -> Home:
    """Return the home: BENCHLAB_HOME, or `var` in the checkout."""
    named = os.environ.get("BENCHLAB_HOME")
    return Home(Path(named).expanduser().absolute() if named else PROJECT / "var")


def private_directory(path: Path) -> None:
    """Create `path` with mode 0700. Raises: StartError if another user owns it."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    result = path.lstat()
    if not stat.S_ISDIR(result.st_mode) or result.st_uid != os.geteuid():
        raise StartError(f"{path} belongs to another user; remove it, or set BENCHLAB_HOME.")
    path.chmod(0o700)
