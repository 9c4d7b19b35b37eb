"""Check a home: modes, readable secrets, free space.

Standard library only, so that it works if nothing else starts.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from benchlab.local.paths import Home
from benchlab.ops.findings import Finding, note, or_ok, wrong

MIB = 1 << 20
# Below the first nothing is safe any more: PostgreSQL stops when it cannot write its log.
LEAST_FREE, LITTLE_FREE = 512 * MIB, 0.10
PRIVATE_FOLDERS = ("secrets", "logs", "postgres", "valkey", "run", "artifacts")
PRIVATE_FILES = ("secrets/*", "logs/*")
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def home_findings(home: Home) -> list[Finding]:
    """Check the folders."""
    return [
        *or_ok(_modes(home), f"{home.root}: what is private is readable by its owner only"),
        *or_ok(secret_findings(home), "the secret keys can be read"),
        *or_ok(_disk_space(home), f"{home.root}: there is room on its disk"),
    ]


def _modes(home: Home) -> Iterator[Finding]:
    if home.root.stat().st_mode & stat.S_IWOTH:
        yield wrong(f"{home.root} can be written by everybody", f"chmod o-w {home.root}")
    folders = [home.root / name for name in PRIVATE_FOLDERS]
    files = [path for pattern in PRIVATE_FILES for path in sorted(home.root.glob(pattern))]
    for path in (*folders, *files):
        if not path.exists() or path.is_symlink():
            continue
        result = path.stat()
        mode = stat.S_IMODE(result.st_mode)
        if mode & OTHERS:
            right = "go-rwx"
            yield wrong(f"{path} has mode {mode:04o}: others may use it", f"chmod {right} {path}")
        if os.geteuid() not in (0, result.st_uid):
            yield wrong(f"{path} belongs to another user", "run benchlab and the doctor as one")


def secret_findings(home: Home) -> Iterator[Finding]:
    """Check the keys: without them the settings cannot load, or would create new ones."""
    for name in ("benchlab_encryption_keys", "secret_key"):
        path = home.root / "secrets" / name
        given = os.environ.get(f"{name.upper()}_FILE")
        path = Path(given) if given else path
        if os.environ.get(name.upper()):
            continue
        try:
            if not path.read_text().strip():
                yield wrong(f"{path} is empty", "put it back from your copy of the secrets")
        except FileNotFoundError:
            if given or (home.root / "postgres").exists():
                todo = "put it back from your copy, before bin/up makes a new one"
                yield wrong(f"{path} is not there", todo)
        except (OSError, ValueError) as error:
            yield wrong(f"{path} cannot be read ({error})", "run the doctor as benchlab's user")


def _disk_space(home: Home) -> Iterator[Finding]:
    paths = {"benchlab's home": home.root, "the database": home.postgres}
    seen = set()
    for name, path in paths.items():
        if not path.exists() or (device := path.stat().st_dev) in seen:
            continue
        seen.add(device)
        yield from disk_space_finding(f"The disk of {name} ({path.resolve()})", *_free(path))


def _free(path: Path) -> tuple[int, int]:
    result = os.statvfs(path)
    return result.f_bavail * result.f_frsize, result.f_blocks * result.f_frsize


def disk_space_finding(name: str, free: int, size: int) -> Iterator[Finding]:
    """Check `free` of `size` bytes."""
    text = f"{name} has {free / MIB:.0f} of {size / MIB:.0f} MiB left"
    todo = "make room: remove what does not belong there, or move it to a larger disk"
    if free < LEAST_FREE:
        yield wrong(text, todo)
    elif free < size * LITTLE_FREE:
        yield note(text, todo)
