"""Interfaces of a transport to a host (SSH or local) and of the byte channels to its programs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Protocol

TAIL_BYTES = 4096


class ByteReader(Protocol):
    """The read method common to the streams of asyncio and asyncssh."""

    def read(self, n: int = -1, /) -> Awaitable[bytes]:
        """Return at most n bytes; b"" at the end."""


class Channel(Protocol):
    """Stdin and stdout of a running program.

    Raises: HostError lost_contact from every method if the connection is lost.
    """

    async def read(self, size: int) -> bytes:
        """Return 1 to size bytes; b"" at the end of the output."""

    async def write(self, data: bytes) -> None:
        """Write all data; waits while the other side does not read."""

    def last_error_line(self) -> str:
        """Return the last line of stderr, "" if there is none."""

    async def close(self) -> None:
        """Close the program's input and the channel within a few seconds."""


class Transport(Protocol):
    """A connection that starts programs on one host."""

    async def open(self, argv: Sequence[str]) -> Channel:
        """Start a program. Raises: HostError."""

    async def close(self) -> None:
        """Close the connection within a few seconds."""


class StderrTail:
    """Reads stderr to its end, so that the program never blocks, and stores the last bytes."""

    def __init__(self, reader: ByteReader) -> None:
        self._buffer = b""
        self._task = asyncio.create_task(self._drain(reader))

    async def _drain(self, reader: ByteReader) -> None:
        try:
            while data := await reader.read(TAIL_BYTES):
                self._buffer = (self._buffer + data)[-TAIL_BYTES:]
        except Exception:
            return  # The reader of stdout reports the lost connection.

    def last_line(self) -> str:
        """Return the last line that is not empty, printable characters only."""
        lines = self._buffer.decode("utf-8", "replace").split("\n")
        clean = ("".join(c for c in line if c.isprintable()).strip() for line in reversed(lines))
        return next((line for line in clean if line), "")

    async def stop(self) -> None:
        """Stop reading."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
