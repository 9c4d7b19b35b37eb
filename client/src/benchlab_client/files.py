"""Answers that are files: streamed, and complete or absent."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO, Iterator, Optional

import httpx

from benchlab_client.errors import NetworkError, UsageError
from benchlab_client.transport import Params, Transport


def write_answer(transport: Transport, path: str, params: Params, file: BinaryIO) -> None:
    """Write the body of one GET to a file. Raises: NetworkError if it ends early, ServerError."""
    with transport.stream("GET", path, params=params) as response:
        try:
            for piece in response.iter_bytes():
                file.write(piece)
        except httpx.HTTPError as error:
            raise NetworkError(f"The answer of {transport.url} ended early: {error}.") from error


@contextlib.contextmanager
def output_file(name: str) -> Iterator[BinaryIO]:
    """Yield a binary file that gets its name only when the block ends without an error.

    `-` is stdout. Raises: UsageError.
    """
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(name)
    try:
        number, unfinished = tempfile.mkstemp(dir=str(target.parent), prefix=f".{target.name}-")
    except OSError as error:
        raise UsageError(f"{name} cannot be written: {error.strerror}.") from None
    try:
        with os.fdopen(number, "wb") as file:
            yield file
        os.chmod(unfinished, 0o666 & ~_umask())
        os.replace(unfinished, name)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        if isinstance(error, OSError):
            raise UsageError(f"{name} cannot be written: {error.strerror}.") from None
        raise


class LazyFile(io.RawIOBase):
    """A file that is open only while it is read: a folder may have more files than descriptors.

    Raises: UsageError if it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path, self._position = path, 0
        self._file: Optional[BinaryIO] = None
        with self._errors(), path.open("rb") as file:
            self._size = file.seek(0, io.SEEK_END)

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; close the file at its end."""
        with self._errors():
            if self._file is None:
                self._file = self._path.open("rb")
                self._file.seek(self._position)
            data = self._file.read(size)
        self._position += len(data)
        if not data or self._position >= self._size:
            self._file.close()
            self._file = None
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to a position from the start, or to the end."""
        self._position = self._size if whence == io.SEEK_END else offset
        if self._file is not None:
            self._file.close()
            self._file = None
        return self._position

    def tell(self) -> int:
        """Return the position."""
        return self._position

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UsageError(f"{self._path} cannot be read: {error.strerror}.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
