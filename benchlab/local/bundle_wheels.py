"""Wheels of a bundle (bin/bundle), from which the environment is made without a network.

Standard library only: the system Python reads them before there is an environment.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

from benchlab.local.errors import StartError
from benchlab.local.paths import PROJECT

FOLDER = "bundle"
SUMS = "SHA256SUMS"


def bundled_wheels(project: Path = PROJECT) -> Path | None:
    """Return the folder of the wheels, None in a checkout. Raises: StartError if one is damaged."""
    folder = project / FOLDER
    if not folder.is_dir():
        return None
    _check_python(folder)
    _check_sums(project)
    return folder / "wheels"


def pip_options(wheels: Path | None) -> list[str]:
    """Return the options of `pip install` that forbid the network; none in a checkout."""
    if wheels is None:
        return []
    # --isolated: without other indexes and folders of the machine's configuration of pip.
    return ["--isolated", "--no-index", "--no-cache-dir", "--find-links", str(wheels)]


def platform() -> dict[str, str]:
    """Return what the wheels depend on."""
    return {"python": f"{sys.version_info[0]}.{sys.version_info[1]}", "machine": os.uname().machine}


def _check_python(folder: Path) -> None:
    try:
        made = json.loads((folder / "platform.json").read_text())
    except (OSError, ValueError) as error:
        raise StartError(f"{folder} is damaged ({error}): unpack the bundle again.") from None
    if made != platform():
        here = platform()
        raise StartError(
            f"This bundle is for Python {made.get('python')} on {made.get('machine')}, this is "
            f"Python {here['python']} on {here['machine']}: set BENCHLAB_PYTHON, or make a bundle "
            "with such a Python."
        )


def _check_sums(project: Path) -> None:
    """Compare each file below `bundle/` with its sum; a file without one is damage too."""
    try:
        sums = read_sums(project / SUMS)
        files = [path for path in sorted((project / FOLDER).rglob("*")) if path.is_file()]
        for path in files:
            name = path.relative_to(project).as_posix()
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            if sums.pop(name, "") != digest:
                raise StartError(f"{path} is not the file of {SUMS}: unpack the bundle again.")
    except (OSError, ValueError) as error:
        raise StartError(f"{project / SUMS} cannot be compared: {error}") from None
    if missing := sorted(name for name in sums if name.startswith(f"{FOLDER}/")):
        raise StartError(f"{project / missing[0]} is missing: unpack the bundle again.")


def read_sums(path: Path) -> dict[str, str]:
    """Return the sums of a file by name. Raises: OSError, ValueError."""
    sums = {}
    for line in path.read_text().splitlines():
        digest, name = line.split("  ", 1)
        sums[name] = digest
    return sums
