"""One holder at a time: an advisory lock on a file, freed by the kernel when the holder dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType


class BusyError(Exception):
    """Somebody else holds the lock; `holder` is what they wrote into it."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(f"{path} is held by {holder or 'another process'}")
        self.holder = holder


class FileLock:
    """`flock` on `path`, with a line in the file that says who holds it."""

    def __init__(self, path: Path, note: str = "") -> None:
        self.path = path
        self.note = note or f"process {os.getpid()}"
        self._descriptor = -1

    def acquire(self, *, wait: bool = False) -> FileLock:
        """Take the lock. Raises BusyError when `wait` is false and another process holds it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 500).decode(errors="replace").strip()
            os.close(descriptor)
            raise BusyError(self.path, holder) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, self.note.encode())
        self._descriptor = descriptor
        return self

    def is_held(self) -> bool:
        """Whether somebody else holds it right now."""
        try:
            self.acquire().release()
        except BusyError:
            return True
        return False

    def release(self) -> None:
        """Give the lock back; the file stays, because removing it would let two in."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> FileLock:
        return self if self._descriptor >= 0 else self.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
