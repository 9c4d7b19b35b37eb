"""Locks shared by all processes of the agent on this host."""

import fcntl
import os
from contextlib import contextmanager, suppress
from typing import Iterator, Optional

TUNING = "tuning.lock"  # applying and restoring settings
# Held while disks are open for inspection, or checked for other users.
DISK_INSPECTION = "disk-inspection.lock"


@contextmanager
def file_lock(base: str, name: str) -> Iterator[None]:
    """Hold a lock.

    Without a writable folder, continue without it: then no journal can be written either.
    """
    fd = open_lock(os.path.join(base, name))
    try:
        if fd is not None:
            fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        if fd is not None:
            os.close(fd)


def open_lock(path: str) -> Optional[int]:
    """Return the lock's descriptor, read-only if the folder is; None if it cannot be opened."""
    for flags in (os.O_RDWR | os.O_CREAT, os.O_RDONLY):
        with suppress(OSError):
            return os.open(path, flags | os.O_CLOEXEC, 0o600)
    return None
