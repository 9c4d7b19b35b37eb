"""The interface of SSH and of the local machine: a link to a host, and byte channels to programs
on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Protocol

TAIL_BYTES = 4096


class LinkReader(Protocol):
    """The reading half that asyncio's and asyncssh's streams share."""

    def read(self, n: int = -1, /) -> Awaitable[bytes]:
        """At most n bytes; b"" at the end."""


class Channel(Protocol):
    """A running program's stdin and stdout. Every method raises HostError lost_contact when the
    link is gone.
    """

    async def read(self, size: int) -> bytes:
        """1 to size bytes, b"" after the program's last."""

    async def write(self, data: bytes) -> None:
        """Hand over all of data, waiting while the other side does not take it."""

    def complaint(self) -> str:
        """The last line the program wrote to stderr, "" if none."""

    async def close(self) -> None:
        """End the program's input and let go of it; takes at most a few seconds."""


class HostLink(Protocol):
    """A way to start programs on one host."""

    async def open(self, argv: Sequence[str]) -> Channel:
        """Start a program. Raises HostError."""

    async def close(self) -> None:
        """Give the link up; takes at most a few seconds."""


class Tail:
    """Reads a stream to its end, so that its writer never blocks, and remembers the last bytes."""

    def __init__(self, reader: LinkReader) -> None:
        self._kept = b""
        self._task = asyncio.create_task(self._drain(reader))

    async def _drain(self, reader: LinkReader) -> None:
        try:
            while data := await reader.read(TAIL_BYTES):
                self._kept = (self._kept + data)[-TAIL_BYTES:]
        except Exception:
            return  # The stream's own loss is reported by whoever reads stdout.

    def last_line(self) -> str:
        """The last line that is not empty, printable characters only."""
        lines = self._kept.decode("utf-8", "replace").split("\n")
        clean = ("".join(c for c in line if c.isprintable()).strip() for line in reversed(lines))
        return next((line for line in clean if line), "")

    async def stop(self) -> None:
        """Stop reading."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
