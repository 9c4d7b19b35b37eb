"""Transport over SSH: an asyncssh connection and its channels."""

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
from .login import log_in, scan
from .transport import StderrTail

MAX_CHANNELS = 8  # sshd's MaxSessions is 10
CLOSE_SECONDS = 3.0
OPEN_SECONDS = 20.0


class SshChannel:
    """A program on the host. Closing the channel does not wait for the program's end."""

    def __init__(
        self, process: asyncssh.SSHClientProcess[bytes], host: str, slots: asyncio.Semaphore
    ) -> None:
        self._process = process
        self._host = host
        self._slots = slots
        self._tail = StderrTail(process.stderr)
        self._closed = False

    async def read(self, size: int) -> bytes:
        """Return at most size bytes of stdout; b"" at the end. Raises: HostError lost_contact."""
        try:
            return await self._process.stdout.read(size)
        except (asyncssh.Error, OSError) as error:
            raise host_error("lost_contact", self._host, str(error)) from error

    async def write(self, data: bytes) -> None:
        """Send data to stdin. Raises: HostError lost_contact."""
        try:
            self._process.stdin.write(data)
            await self._process.stdin.drain()
        except (asyncssh.Error, OSError) as error:
            raise host_error("lost_contact", self._host, str(error)) from error

    def last_error_line(self) -> str:
        """Return the last line of stderr."""
        return self._tail.last_line()

    async def close(self) -> None:
        """Close the channel and release its slot."""
        if self._closed:
            return
        self._closed = True
        self._process.close()
        with contextlib.suppress(asyncssh.Error, OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._process.wait_closed()
        await self._tail.stop()
        self._slots.release()


class SshTransport:
    """One connection with at most MAX_CHANNELS channels, and the jump connection below it."""

    def __init__(
        self, connection: asyncssh.SSHClientConnection, host: str, jump: SshTransport | None
    ) -> None:
        self.connection = connection
        self._host = host
        self._jump = jump
        self._slots = asyncio.Semaphore(MAX_CHANNELS)

    async def open(self, argv: Sequence[str]) -> SshChannel:
        """Start argv through the login shell. Raises: HostError busy, timeout or lost_contact."""
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                await self._slots.acquire()
        except TimeoutError as error:
            raise host_error(
                "busy", self._host, message("%(count)d channels are open", count=MAX_CHANNELS)
            ) from error
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                process = await self.connection.create_process(shlex.join(argv), encoding=None)
        except BaseException as error:
            self._slots.release()
            if not isinstance(error, (asyncssh.Error, OSError)):
                raise
            raise _open_error(error, self._host) from error
        return SshChannel(process, self._host, self._slots)

    async def close(self) -> None:
        """Close the connection; abort it if the other side does not answer in time."""
        self.connection.close()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.connection.wait_closed()
        except (TimeoutError, asyncssh.Error, OSError):
            self.connection.abort()
        if self._jump:
            await self._jump.close()


def _open_error(error: Exception, host: str) -> HostError:
    if isinstance(error, TimeoutError):
        return host_error(
            "timeout", host, message("no channel in %(seconds)d s", seconds=round(OPEN_SECONDS))
        )
    if isinstance(error, asyncssh.ChannelOpenError):
        return host_error("busy", host, error.reason)
    return host_error("lost_contact", host, str(error))


async def connect(spec: HostSpec) -> SshTransport:
    """Log in to the host, through its jump hosts if it has any. Raises: HostError."""
    jump = await connect(spec.jump) if spec.jump else None
    try:
        connection = await log_in(spec, jump.connection if jump else None)
    except BaseException:
        if jump:
            await jump.close()
        raise
    return SshTransport(connection, spec.name, jump)


async def scan_host_key(spec: HostSpec) -> HostKey:
    """Return the host key of the server without logging in. Raises: HostError."""
    if not spec.jump:
        return await scan(spec, None)
    jump = await connect(spec.jump)
    try:
        return await scan(spec, jump.connection)
    finally:
        await jump.close()
