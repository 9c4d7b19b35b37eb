"""bin/bundle: one tar with everything that bin/up takes from a network.

The tar holds the files that git tracks, as they are in the checkout, and below `bundle/` the wheels,
the agent and the client. `SHA256SUMS` lists all files (sha256sum -c); bin/up compares those below
`bundle/` (benchlab.local.bundle_wheels).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

from apps.remote.build import agent
from benchlab.local.bundle_wheels import FOLDER, SUMS, platform, read_sums
from benchlab.local.errors import StartError
from benchlab.local.paths import PROJECT
from benchlab.local.stack import say
from benchlab.local.venv import SETS
from benchlab.version import VERSION

SHOWN = 5


def bundle(file: Path | None) -> int:
    """Write the tar and its sum. Raises: StartError."""
    file = (file or Path(f"benchlab-{VERSION}.tar")).absolute()
    if file.exists():
        raise StartError(f"{file} is there already; a bundle never overwrites one.")
    if not file.parent.is_dir():
        raise StartError(f"There is no folder {file.parent}.")
    unfinished = file.with_name(f".{file.name}.{os.getpid()}.unfinished")
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".bundle-") as folder:
            root = Path(folder) / f"benchlab-{VERSION}"
            _fill(root)
            with tarfile.open(unfinished, "w") as tar:
                tar.add(root, arcname=root.name, filter=_plain)
        digest = _sha256(unfinished)
        file.with_name(f"{file.name}.sha256").write_text(f"{digest}  {file.name}\n")
        unfinished.rename(file)
    except OSError as error:
        raise StartError(f"{file} cannot be written: {error.strerror or error}.") from None
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink()
    say(f"{file}: {file.stat().st_size / 1e6:.0f} MB, SHA-256 {digest}")
    return 0


def _fill(root: Path) -> None:
    for name in source_files():
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(PROJECT / name, target, follow_symlinks=False)
    wheels = root / FOLDER / "wheels"
    wheels.mkdir(parents=True)
    say("Collecting the wheels")
    collect_wheels(wheels)
    client = root / FOLDER / "client"
    client.mkdir()
    collect_client(client)
    (root / FOLDER / "platform.json").write_text(json.dumps(platform()) + "\n")
    built = agent()
    (root / FOLDER / built.name).write_bytes(built.data)
    (root / SUMS).write_text("".join(_sums(root)))


def source_files(project: Path = PROJECT) -> list[str]:
    """Return the files that git tracks; in an unpacked bundle those that it lists.

    Untracked files stay out: notes, dumps and keys lie in checkouts. Raises: StartError.
    """
    if (project / ".git").exists():
        names = _git_files(project, "--cached")
        others = _git_files(project, "--others", "--exclude-standard")
        if others:
            shown = ", ".join(others[:SHOWN]) + (", …" if len(others) > SHOWN else "")
            say(f"Left out, because git does not track them ({len(others)}): {shown}")
    else:
        names = _listed_files(project)
    return [name for name in names if (project / name).is_file()]


def _git_files(project: Path, *options: str) -> list[str]:
    command = ["git", "-C", str(project), "ls-files", "-z", *options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        raise StartError("A bundle is made with git: apt-get install git.") from None
    except subprocess.CalledProcessError as error:
        raise StartError(f"{project} is no checkout: {error.stderr.strip()}") from None
    return sorted({name for name in done.stdout.split("\0") if name})


def _listed_files(project: Path) -> list[str]:
    """Return the source files of an unpacked bundle."""
    try:
        names = read_sums(project / SUMS)
    except (OSError, ValueError):
        text = f"{project} is neither a checkout of git nor an unpacked bundle with {SUMS}."
        raise StartError(text) from None
    return sorted(name for name in names if not name.startswith(f"{FOLDER}/"))


def collect_wheels(folder: Path) -> None:
    """Download or build the wheels of bin/up and of pip. Raises: StartError."""
    files = [word for name in SETS["runtime"] for word in ("-r", str(PROJECT / name))]
    _pip_wheel(folder, *files, "pip")


def collect_client(folder: Path) -> None:
    """Build the wheel of benchlab-client, beside those it needs. Raises: StartError."""
    _pip_wheel(folder, str(PROJECT / "client"))


def _pip_wheel(folder: Path, *words: str) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "-q"]
    command = [*pip, "--wheel-dir", str(folder), *words]
    if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode:
        raise StartError("pip could not collect the wheels; its message is above.")


def _sums(root: Path) -> Iterable[str]:
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield f"{_sha256(path)}  {path.relative_to(root).as_posix()}\n"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Remove the names of this machine's users."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member
