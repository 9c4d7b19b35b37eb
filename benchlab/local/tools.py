"""fio for the demonstration, from Debian's package."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from benchlab.local import apt
from benchlab.local.paths import Home

WRAPPER = """#!/bin/sh
# Made by bin/up: runs {program} with the libraries that were unpacked beside it.
LD_LIBRARY_PATH={libraries}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}
export LD_LIBRARY_PATH
exec {program} "$@"
"""


def tool_path(home: Home) -> str:
    """Return PATH of the workers: the system's tools first, then the downloaded ones."""
    usual = os.environ.get("PATH", "/usr/bin:/bin")
    return f"{usual}:/usr/sbin:/sbin:{home.tools / 'bin'}"


def ensure_fio(home: Home) -> str | None:
    """Return the path of fio, downloaded if missing; None and a message if impossible."""
    result = shutil.which("fio", path=tool_path(home))
    if result:
        return result
    try:
        if not apt.available():
            raise apt.AptError("this machine has no apt")
        if os.geteuid() == 0:
            apt.install(["fio"])
        else:
            unpack_tool(home, "fio")
    except apt.AptError as error:
        say_missing(str(error))
    return shutil.which("fio", path=tool_path(home))


def say_missing(reason: str) -> None:
    """Print why fio is missing; benchlab continues."""
    print(
        f"fio is not installed and could not be fetched ({reason}): tests with fio will fail on "
        "this machine until somebody installs it (apt-get install fio).",
        file=sys.stderr,
        flush=True,
    )


def unpack_tool(home: Home, name: str) -> Path:
    """Unpack a package below home with a wrapper that finds its libraries. Raises: AptError."""
    root = home.tools / name
    apt.unpack([name], root)
    program = root / "usr" / "bin" / name
    if not program.exists():
        raise apt.AptError(f"the package {name} holds no /usr/bin/{name}")
    wrapper = home.tools / "bin" / name
    wrapper.parent.mkdir(exist_ok=True)
    wrapper.write_text(
        WRAPPER.format(program=_quoted(program), libraries=_quoted(_library_folders(root)))
    )
    wrapper.chmod(0o755)
    return wrapper


def _library_folders(root: Path) -> str:
    """Return every folder below `root` with a shared library, for LD_LIBRARY_PATH."""
    return ":".join(sorted({str(path.parent) for path in root.rglob("*.so*")}))


def _quoted(text: str | Path) -> str:
    return "'" + str(text).replace("'", "'\\''") + "'"
