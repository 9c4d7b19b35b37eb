"""Virtual environment, created on first use and updated when requirements change.

Runs under the system Python. A file in the environment contains the hash of each installed set of
requirements.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from benchlab.local import apt
from benchlab.local.bundle_wheels import bundled_wheels, pip_options
from benchlab.local.errors import StartError
from benchlab.local.locks import FileLock
from benchlab.local.paths import PROJECT, Home

SETS = {
    "runtime": ("requirements.txt", "requirements-embedded.txt"),
    "dev": ("requirements.txt", "requirements-embedded.txt", "requirements-dev.txt"),
}
STAMP = "benchlab-requirements.json"
HINT = "run `apt-get install python3-venv` as root and start again."


def ensure_venv(home: Home, name: str = "runtime") -> Path:
    """Return the Python of an environment with the set `name`. Raises: StartError."""
    python = home.venv / "bin" / "python"
    if _current(home.venv, name):
        return python
    if Path(sys.prefix).resolve() == home.venv.resolve():
        # Out of the environment that is about to be replaced.
        base = str(getattr(sys, "_base_executable", sys.executable))
        os.execv(base, [base, *sys.orig_argv[1:]])
    with FileLock(home.root / "venv.lock").acquire(wait=True):
        if not _current(home.venv, name):
            _build(home, name)
    return python


def fingerprint(name: str) -> str:
    """Return the hash of the requirement files, the environment's path and the Python."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {PROJECT}".encode())
    for file in SETS[name]:
        digest.update((PROJECT / file).read_bytes())
    return digest.hexdigest()


def _stamps(venv: Path) -> dict[str, str]:
    try:
        stamps: dict[str, str] = json.loads((venv / STAMP).read_text())
    except (OSError, ValueError):
        return {}
    return stamps if stamps.get("path") == str(venv) else {}


def _current(venv: Path, name: str) -> bool:
    stamps = _stamps(venv)
    wanted = [other for other in SETS if set(SETS[name]) <= set(SETS[other])]
    return any(stamps.get(other) == fingerprint(other) for other in wanted)


def _build(home: Home, name: str) -> None:
    venv, wheels = home.venv, bundled_wheels()
    python = venv / "bin" / "python"
    stamps = _stamps(venv)
    if not _works(python) or (stamps and not _same_base(stamps)):
        _say(f"Making a virtual environment in {venv}")
        _make(venv, home, wheels)
    _say(f"Installing {' and '.join(SETS[name])} (once; it takes a minute)")
    files = [word for file in SETS[name] for word in ("-r", str(PROJECT / file))]
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    pip += [*pip_options(wheels), *files]
    if subprocess.run(pip, stdin=subprocess.DEVNULL, check=False).returncode:
        raise StartError("pip could not install the requirements; its message is above.")
    _write_path_file(venv)
    base = {"path": str(venv), "python": _version(), name: fingerprint(name)}
    fresh = venv / f"{STAMP}.new"
    fresh.write_text(json.dumps(base))
    fresh.rename(venv / STAMP)


def _same_base(stamps: dict[str, str]) -> bool:
    return stamps.get("python") == _version()


def _version() -> str:
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def _works(python: Path) -> bool:
    if not python.exists():
        return False
    command = [str(python), "-c", "import pip"]
    return not subprocess.run(command, capture_output=True, check=False).returncode


def _write_path_file(venv: Path) -> None:
    """Put the checkout on the environment's path, so that its programs work in any folder."""
    site = venv / "lib" / f"python{_version()}" / "site-packages"
    (site / "benchlab-checkout.pth").write_text(f"{PROJECT}\n")


def _make(venv: Path, home: Home, wheels: Path | None) -> None:
    if _venv_command(venv):
        return
    if wheels:
        _make_without_ensurepip(venv, next(iter(sorted(wheels.glob("pip-*.whl"))), None))
        return
    if os.geteuid() == 0 and apt.available():
        _say("Installing Debian's python3-venv")
        try:
            apt.install(["python3-venv"])
        except apt.AptError as error:
            raise StartError(f"python3-venv is missing and {error}") from error
        if _venv_command(venv):
            return
    _make_without_ensurepip(venv, _debian_pip(home))


def _venv_command(venv: Path, *options: str) -> bool:
    command = [sys.executable, "-m", "venv", "--clear", *options, str(venv)]
    return not subprocess.run(command, capture_output=True, check=False).returncode


def _debian_pip(home: Home) -> Path | None:
    target = home.tools / "python3-pip-whl"
    try:
        apt.unpack(["python3-pip-whl"], target)
    except (apt.AptError, OSError) as error:
        raise StartError(f"This Python has no pip ({error}): {HINT}") from error
    return next(iter(sorted(target.glob("usr/share/python-wheels/pip-*.whl"))), None)


def _make_without_ensurepip(venv: Path, wheel: Path | None) -> None:
    """Create the environment without python3-venv, with pip's wheel of Debian or the bundle."""
    if not _venv_command(venv, "--without-pip"):
        raise StartError(f"Python cannot make a virtual environment: {HINT}")
    if wheel is None:
        raise StartError(f"No wheel of pip was found: {HINT}")
    python = str(venv / "bin" / "python")
    command = [python, f"{wheel}/pip", "install", "-q", "--no-index", "--no-deps", str(wheel)]
    if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode:
        raise StartError(f"pip could not be put into {venv}: {HINT}")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
