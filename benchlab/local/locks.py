"""Exclusive file locks, released by the kernel when the process ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType


class BusyError(Exception):
    """Another process holds the lock; `holder` is the text in the file."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(f"{path} is held by {holder or 'another process'}")
        self.holder = holder


class FileLock:
    """`flock` on `path`, with the holder's text in the file."""

    def __init__(self, path: Path, note: str = "") -> None:
        self.path = path
        self.note = note or f"process {os.getpid()}"
        self._descriptor = -1

    def acquire(self, *, wait: bool = False) -> FileLock:
        """Acquire the lock. Raises: BusyError if not `wait` and another process holds it."""
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
        """Return True if another process holds the lock."""
        try:
            self.acquire().release()
        except BusyError:
            return True
        return False

    def release(self) -> None:
        """Release the lock; the file stays, because removing it would admit two holders."""
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
