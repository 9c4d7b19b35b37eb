"""Files that are complete or absent, also after a power failure."""

import contextlib
import json
import os
from typing import Any, List, Optional


def read_text(path: str) -> Optional[str]:
    """Return the file's text without surrounding blanks; None if it cannot be read.

    sysfs reports EIO and EINVAL too.
    """
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "replace").strip()
    except OSError:
        return None


def read_int(path: str) -> Optional[int]:
    """Return the whole number in a file; None if it is absent or invalid."""
    text = read_text(path)
    try:
        return int(text) if text else None
    except ValueError:
        return None


def read_json(path: str) -> Optional[Any]:
    """Return the file's document; None if it is absent or invalid."""
    text = read_text(path)
    try:
        return json.loads(text) if text else None
    except ValueError:
        return None


def sync_folder(path: str) -> None:
    """Make the names in a folder durable (fsync(2): a new file needs its folder synced too)."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def write_all(fd: int, data: bytes) -> None:
    """Call write(2) until all data is written."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def write_value(path: str, value: str) -> None:
    """Write a value with one write(2), as sysfs and procfs require. Raises: OSError."""
    fd = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
    try:
        os.write(fd, value.encode())
    finally:
        os.close(fd)


def write_atomic(path: str, data: bytes, durable: bool = True) -> None:
    """Write a temporary file, then rename it: readers see the old or the new file."""
    beside = "{}.{}.tmp".format(path, os.getpid())
    try:
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        try:
            write_all(fd, data)
            if durable:
                os.fsync(fd)
        finally:
            os.close(fd)
        os.rename(beside, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    if durable:
        sync_folder(os.path.dirname(path))


def write_json(path: str, value: Any, durable: bool = True) -> None:
    """Write the value as JSON with sorted keys, atomically."""
    write_atomic(path, (json.dumps(value, sort_keys=True) + "\n").encode(), durable)


def list_folder(path: str) -> List[str]:
    """Return the sorted names in a folder; empty if it is absent."""
    try:
        return sorted(os.listdir(path))
    except OSError:
        return []
