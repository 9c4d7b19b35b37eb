"""Answers that are files: streamed, and complete or absent."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO, Iterator

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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
