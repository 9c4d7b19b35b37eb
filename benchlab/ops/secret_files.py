"""Secret keys of a home as files: saved, restored, compared."""

from __future__ import annotations

import hashlib
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

from benchlab.local.errors import StartError
from benchlab.local.paths import Home

KEYS = "BENCHLAB_ENCRYPTION_KEYS"
NAMES = ("benchlab_encryption_keys", "secret_key", "admin-password")


def folder(home: Home) -> Path:
    return home.root / "secrets"


def key_marks(home: Home) -> list[str]:
    """Return the start of each encryption key's SHA-256, to compare the keys of two homes.

    It reveals nothing, because the keys are random 256 bits.
    """
    given = os.environ.get(KEYS, "")
    named = os.environ.get(f"{KEYS}_FILE")
    path = Path(named) if named else folder(home) / KEYS.lower()
    if not given and path.exists():
        given = path.read_text()
    keys = [word.strip() for word in given.split(",") if word.strip()]
    return [hashlib.sha256(key.encode()).hexdigest()[:16] for key in keys]


def keep_secrets(home: Home, unfinished: Path, file: Path) -> None:
    """Write the secret files into a tar of mode 0600. Raises: StartError without any."""
    present = [folder(home) / name for name in NAMES if (folder(home) / name).exists()]
    if not present:
        raise StartError(
            f"There is nothing in {folder(home)}: the keys come from the environment; keep them "
            "where they come from."
        )
    descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as out, tarfile.open(fileobj=out, mode="w") as made:
        for path in present:
            made.add(path, arcname=path.name)
    unfinished.rename(file)


def put_secrets_back(home: Home, file: Path) -> Callable[[], None]:
    """Read the secret files; return a function that writes them.

    Raises: StartError if the home has other ones.
    """
    result = _read(file)
    for name, content in result.items():
        path = folder(home) / name
        if path.exists() and path.read_bytes() != content:
            raise StartError(f"{path} is another one than in {file}: a restore overwrites none.")

    def write() -> None:
        folder(home).mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, content in result.items():
            path = folder(home) / name
            with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as out:
                out.write(content)

    return write


def _read(file: Path) -> dict[str, bytes]:
    try:
        with tarfile.open(file, "r:") as made:
            members = {name: made.extractfile(name) for name in made.getnames() if name in NAMES}
            result = {name: member.read() for name, member in members.items() if member}
    except (OSError, tarfile.TarError, KeyError) as error:
        raise StartError(f"{file} cannot be read: {error}.") from None
    if not result:
        raise StartError(f"{file} holds no secrets of benchlab (backup --secrets).")
    return result
