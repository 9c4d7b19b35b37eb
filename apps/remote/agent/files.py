"""Files that are whole or absent, and still there after a power cut."""

import contextlib
import json
import os
from typing import Any, List, Optional


def read_text(path: str) -> Optional[str]:
    """The file's text without surrounding blanks; None when it cannot be read (sysfs says EIO,
    EINVAL too).
    """
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "replace").strip()
    except OSError:
        return None


def read_int(path: str) -> Optional[int]:
    """The whole number in a file; None when it is absent or something else."""
    text = read_text(path)
    try:
        return int(text) if text else None
    except ValueError:
        return None


def read_json(path: str) -> Optional[Any]:
    """The file's document; None when the file is absent or holds none."""
    text = read_text(path)
    try:
        return json.loads(text) if text else None
    except ValueError:
        return None


def sync_folder(path: str) -> None:
    """Make names in a folder durable (fsync(2): a new file needs its folder synced too)."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def write_all(fd: int, data: bytes) -> None:
    """write(2) until everything is written."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def write_value(path: str, value: str) -> None:
    """One write(2) to a file of sysfs or procfs, which takes it as a whole. Raises OSError with the
    kernel's reason.
    """
    fd = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
    try:
        os.write(fd, value.encode())
    finally:
        os.close(fd)


def write_atomic(path: str, data: bytes, durable: bool = True) -> None:
    """Write beside, then rename: a reader sees the old file or the new one, never half of it."""
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
    """The value as a document with sorted keys, atomically."""
    write_atomic(path, (json.dumps(value, sort_keys=True) + "\n").encode(), durable)


def list_folder(path: str) -> List[str]:
    """The names in a folder, sorted; nothing when there is no such folder."""
    try:
        return sorted(os.listdir(path))
    except OSError:
        return []
