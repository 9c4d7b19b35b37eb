"""Locks that all processes of the agent on this host share."""

import fcntl
import os
from contextlib import contextmanager, suppress
from typing import Iterator, Optional

TUNING = "tuning.lock"  # taking and giving back settings
LOOKING = (
    "looking.lock"  # having disks open to look at them, or refusing one that somebody has open
)


@contextmanager
def locked(base: str, name: str) -> Iterator[None]:
    """Nobody else has this lock meanwhile. Where there can be none, it is done without: what has to
    be certain is also written down, which is then impossible as well.
    """
    fd = lock_file(os.path.join(base, name))
    try:
        if fd is not None:
            fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        if fd is not None:
            os.close(fd)


def lock_file(path: str) -> Optional[int]:
    """The lock's descriptor, for reading where nothing can be written any more; None without."""
    for flags in (os.O_RDWR | os.O_CREAT, os.O_RDONLY):
        with suppress(OSError):
            return os.open(path, flags | os.O_CLOEXEC, 0o600)
    return None
