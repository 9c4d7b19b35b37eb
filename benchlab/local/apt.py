"""Debian packages: installed by root, or downloaded and unpacked without root."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

NAME = re.compile(r"[a-z0-9][a-z0-9+.-]+")


class AptError(Exception):
    """Failure of apt, with the end of its output."""


def available() -> bool:
    """Return True if apt exists."""
    return shutil.which("apt-get") is not None


def installed(package: str) -> bool:
    """Return True if dpkg reports the package as installed."""
    command = ["dpkg-query", "-W", "-f", "${db:Status-Status}", package]
    return run(command, check=False).stdout.strip() == "installed"


def install(packages: Sequence[str]) -> None:
    """Install as root; refresh the package lists if necessary. Raises: AptError."""
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    if run(command, check=False).returncode:
        run(["apt-get", "update", "-q"], check=False)
        run(command)


def unpack(packages: Sequence[str], target: Path) -> None:
    """Download packages with their missing dependencies and unpack them below `target`.

    Needs no root: apt uses private folders for lists and archives. Raises: AptError.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="apt-") as folder:
        options = private_folders(Path(folder))
        try:
            names = _missing(packages, [])
            _fetch(names, Path(folder), [])
        except AptError:
            run(["apt-get", *options, "update", "-q"])
            names = _missing(packages, options)
            _fetch(names, Path(folder), options)
        unpacked = Path(folder) / "root"
        for archive in sorted(Path(folder).glob("*.deb")):
            run(["dpkg-deb", "-x", str(archive), str(unpacked)])
        shutil.rmtree(target, ignore_errors=True)
        unpacked.rename(target)


def private_folders(root: Path) -> list[str]:
    for name in ("lists/partial", "cache/archives/partial"):
        (root / name).mkdir(parents=True)
    return ["-o", f"Dir::State::lists={root}/lists", "-o", f"Dir::Cache={root}/cache"]


def _missing(packages: Sequence[str], options: Sequence[str]) -> list[str]:
    """Return the packages that apt would install, by simulation ("Inst NAME (VERSION ...)")."""
    command = ["apt-get", *options, "install", "--simulate", "--no-install-recommends", *packages]
    lines = run(command).stdout.splitlines()
    names = [line.split()[1] for line in lines if line.startswith("Inst ")]
    return sorted({*names, *(name for name in packages if NAME.fullmatch(name))})


def _fetch(names: Sequence[str], folder: Path, options: Sequence[str]) -> None:
    run(["apt-get", *options, "download", "-q", *names], cwd=folder)


def run(
    command: Sequence[str], *, check: bool = True, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    done = subprocess.run(
        command,
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if check and done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise AptError(
            f"{' '.join(command[:2])} failed: {lines[-1] if lines else 'no reason given'}"
        )
    return done
