"""Folder on a disk."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from apps.lake.domain.file_names import LOCK, MANIFEST, UNFINISHED
from apps.lake.domain.refusal import LakeRefusal
from apps.tools.messages import message


class LocalFolder:
    """Folder that one process writes at a time. A file gets its name after fsync."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.location = str(path)

    def exists(self) -> bool:
        return self.path.is_dir()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Create the folder if only it is missing, and lock it.

        Raises: LakeRefusal if another process writes. OSError.
        """
        self.path.mkdir(exist_ok=True)
        with (self.path / LOCK).open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                text = message("Another export writes %(location)s now.", location=self.location)
                raise LakeRefusal(text) from None
            yield

    def names(self) -> dict[str, datetime]:
        """Return all files with the times of their last change."""

        def fail(error: OSError) -> None:
            raise error

        result = {}
        for folder, _folders, files in os.walk(self.path, onerror=fail):
            for name in files:
                path = Path(folder, name)
                changed = datetime.fromtimestamp(path.lstat().st_mtime, UTC)
                result[path.relative_to(self.path).as_posix()] = changed
        return result

    def read(self, name: str) -> bytes | None:
        """Return a small file; None if it is missing."""
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            return None

    def manifest_read(self) -> bytes | None:
        """Return the newest manifest; None without one."""
        return self.read(MANIFEST)

    @contextmanager
    def new_file(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file, which gets its name when it is whole and on the disk."""
        path = self.path / name
        unfinished = path.with_name(path.name + UNFINISHED)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with unfinished.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            unfinished.rename(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        for folder in (path.parent, path.parent.parent):
            _fsync_folder(folder)

    def write(self, name: str, content: bytes) -> None:
        """Write or replace a small file."""
        with self.new_file(name) as file:
            file.write(content)

    def create(self, name: str, content: bytes) -> bool:
        """Write a small file unless it exists. Return True if it was written."""
        if (self.path / name).exists():
            return False
        self.write(name, content)
        return True

    def manifest_write(self, generation: int, document: bytes) -> None:
        """Replace the manifest by rename; the lock excludes another writer."""
        self.write(MANIFEST, document)

    def delete(self, name: str) -> None:
        """Delete a file, and its folder if it is empty then."""
        (self.path / name).unlink(missing_ok=True)
        try:
            (self.path / name).parent.rmdir()
        except OSError:  # other files are in it
            return


def _fsync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
