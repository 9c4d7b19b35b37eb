"""User of PostgreSQL, which refuses to run as root.

In a user namespace the server is "nobody" (65534) but root outside, so files and closed parent
folders need no change. Where namespaces are forbidden (most containers), a system user gets a copy
of the programs and a data folder below /var/lib/benchlab-server.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchlab.local.errors import StartError

NAMESPACE = ("unshare", "--user", "--map-user=65534", "--map-group=65534", "--")
SYSTEM_USER = "benchlab-pg"
# Not below /var/lib/benchlab, which is the agent's and closed to other users.
STATE = Path("/var/lib/benchlab-server")


@dataclass(frozen=True)
class Identity:
    """User of PostgreSQL's programs: command prefix, folder of the programs, file owner."""

    prefix: tuple[str, ...]
    binaries: Path
    data: Path
    sockets: Path
    owner: int

    def give(self, path: Path) -> None:
        """Give a new folder to the server's user."""
        if os.geteuid() == 0:
            os.chown(path, self.owner, -1)


def choose_identity(binaries: Path, data: Path, sockets: Path) -> Identity:
    """Choose by the data folder's owner, then by what this machine permits."""
    me = os.geteuid()
    owner = data.stat().st_uid if data.exists() else None
    if me != 0:
        if owner not in (None, me):
            raise StartError(f"{data} belongs to another user; run as that user.")
        return Identity((), binaries, data, sockets, me)
    if owner in (None, 0) and namespaces_work():
        return Identity(NAMESPACE, binaries, data, sockets, 0)
    if owner == 0:
        raise StartError(
            f"{data} was made by root in a user namespace, and this machine allows none now: "
            f"start with a new BENCHLAB_HOME, or point DATABASE_URL at a server."
        )
    return _as_system_user(binaries, data)


def namespaces_work() -> bool:
    """Return True if this process may create a user namespace."""
    if not shutil.which("unshare"):
        return False
    return not subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode


def _as_system_user(binaries: Path, data: Path) -> Identity:
    user = _system_user()
    digest = hashlib.sha256(os.fsencode(data.absolute())).hexdigest()[:10]
    state = STATE / digest
    for path in (state, state / "run"):
        path.mkdir(parents=True, exist_ok=True)
        os.chown(path, user.pw_uid, user.pw_gid)
        path.chmod(0o700)
    copied = _copy_programs(binaries)
    if not data.is_symlink():
        data.parent.mkdir(parents=True, exist_ok=True)
        data.symlink_to(state / "data")
    ids = (f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "--")
    return Identity(("setpriv", *ids), copied, state / "data", state / "run", user.pw_uid)


def _system_user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        pass
    command = ["useradd", "--system", "--user-group", "--no-create-home", "--home-dir", "/"]
    made = subprocess.run(
        [*command, "--shell", "/usr/sbin/nologin", SYSTEM_USER],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        raise StartError(
            "PostgreSQL must not run as root; this machine allows neither user namespaces nor a "
            f"new system user ({made.stderr.strip()}): run as another user or set DATABASE_URL."
        )
    return pwd.getpwnam(SYSTEM_USER)


def _copy_programs(binaries: Path) -> Path:
    """Copy the programs with their libraries to a folder that the system user can read."""
    if binaries.parts[1:2] == ("usr",):
        return binaries
    package = binaries.parents[1]
    stamp = hashlib.sha256((binaries / "postgres").read_bytes()).hexdigest()[:16]
    target = STATE / "programs" / stamp
    if not target.exists():
        unfinished = target.with_suffix(".new")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(binaries.parent, unfinished / package.name / binaries.parent.name)
        libraries = package.with_name(package.name + ".libs")
        if libraries.exists():
            shutil.copytree(libraries, unfinished / libraries.name)
        for path in (STATE, STATE / "programs", *unfinished.rglob("*"), unfinished):
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
        unfinished.rename(target)
    return target / package.name / binaries.parent.name / "bin"
