"""A host over SSH: an asyncssh connection and the channels on it."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
from collections.abc import Sequence

import asyncssh

from apps.tools.messages import message

from .connection import HostSpec
from .errors import HostError, host_error
from .keys import HostKey
from .link import Tail
from .login import log_in, scan

CHANNELS = 8  # sshd's MaxSessions is 10
CLOSE_SECONDS = 3.0
OPEN_SECONDS = 20.0


class SshChannel:
    """A program on the host; ending the channel does not wait for it (see agent.md: end of input
    ends a session).
    """

    def __init__(
        self, process: asyncssh.SSHClientProcess[bytes], host: str, free: asyncio.Semaphore
    ) -> None:
        self._process = process
        self._host = host
        self._free = free
        self._tail = Tail(process.stderr)
        self._closed = False

    async def read(self, size: int) -> bytes:
        """At most size bytes of stdout; b"" at the end. Raises HostError lost_contact."""
        try:
            return await self._process.stdout.read(size)
        except (asyncssh.Error, OSError) as error:
            raise host_error("lost_contact", self._host, str(error)) from error

    async def write(self, data: bytes) -> None:
        """Send data to stdin. Raises HostError lost_contact."""
        try:
            self._process.stdin.write(data)
            await self._process.stdin.drain()
        except (asyncssh.Error, OSError) as error:
            raise host_error("lost_contact", self._host, str(error)) from error

    def complaint(self) -> str:
        """The last line of stderr."""
        return self._tail.last_line()

    async def close(self) -> None:
        """Close the channel; its place is free again."""
        if self._closed:
            return
        self._closed = True
        self._process.close()
        with contextlib.suppress(asyncssh.Error, OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._process.wait_closed()
        await self._tail.stop()
        self._free.release()


class SshLink:
    """One connection, at most eight channels at a time, and the connections it is tunnelled
    through.
    """

    def __init__(
        self, connection: asyncssh.SSHClientConnection, host: str, through: SshLink | None
    ) -> None:
        self.connection = connection
        self._host = host
        self._through = through
        self._free = asyncio.Semaphore(CHANNELS)

    async def open(self, argv: Sequence[str]) -> SshChannel:
        """Start argv through the login shell. Raises HostError busy, timeout or lost_contact."""
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                await self._free.acquire()
        except TimeoutError as error:
            raise host_error(
                "busy", self._host, message("%(count)d channels are open", count=CHANNELS)
            ) from error
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                process = await self.connection.create_process(shlex.join(argv), encoding=None)
        except BaseException as error:
            self._free.release()
            if not isinstance(error, (asyncssh.Error, OSError)):
                raise
            raise _open_error(error, self._host) from error
        return SshChannel(process, self._host, self._free)

    async def close(self) -> None:
        """Say goodbye, or hang up when the other side does not answer in time."""
        self.connection.close()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.connection.wait_closed()
        except (TimeoutError, asyncssh.Error, OSError):
            self.connection.abort()
        if self._through:
            await self._through.close()


def _open_error(error: Exception, host: str) -> HostError:
    if isinstance(error, TimeoutError):
        return host_error(
            "timeout", host, message("no channel in %(seconds)d s", seconds=round(OPEN_SECONDS))
        )
    if isinstance(error, asyncssh.ChannelOpenError):
        return host_error("busy", host, error.reason)
    return host_error("lost_contact", host, str(error))


async def connect(spec: HostSpec) -> SshLink:
    """Log in to the host, through its jump hosts if it has any. Raises HostError."""
    through = await connect(spec.jump) if spec.jump else None
    try:
        connection = await log_in(spec, through.connection if through else None)
    except BaseException:
        if through:
            await through.close()
        raise
    return SshLink(connection, spec.name, through)


async def scan_host_key(spec: HostSpec) -> HostKey:
    """The host key to show before somebody confirms it; no login, nothing is sent. Raises
    HostError.
    """
    if not spec.jump:
        return await scan(spec, None)
    through = await connect(spec.jump)
    try:
        return await scan(spec, through.connection)
    finally:
        await through.close()
