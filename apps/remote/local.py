"""Transport to the machine benchlab runs on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence

from apps.tools.messages import message

from .errors import host_error
from .transport import StderrTail

CLOSE_SECONDS = 3.0
INHERITED_VARIABLES = (
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TMPDIR",
    "LANG",
    "TERM",
    "XDG_STATE_HOME",
)
INHERITED_PREFIXES = ("BENCHLAB_AGENT_", "BENCHLAB_TOOLS_", "LC_")


class LocalChannel:
    """A child process in its own session, which Ctrl-C in benchlab's terminal does not reach."""

    def __init__(self, process: asyncio.subprocess.Process, host: str) -> None:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self._process = process
        self._stdin, self._stdout = process.stdin, process.stdout
        self._host = host
        self._tail = StderrTail(process.stderr)

    async def read(self, size: int) -> bytes:
        """Return at most size bytes of stdout; b"" at the end."""
        return await self._stdout.read(size)

    async def write(self, data: bytes) -> None:
        """Send data to stdin. Raises: HostError lost_contact if the program has ended."""
        try:
            self._stdin.write(data)
            await self._stdin.drain()
        except OSError as error:
            raise host_error(
                "lost_contact", self._host, message("the agent's session ended")
            ) from error

    def last_error_line(self) -> str:
        """Return the last line of stderr."""
        return self._tail.last_line()

    async def close(self) -> None:
        """Close stdin, which ends the agent's session; kill it if it does not end in time.

        Jobs run in sessions of their own and continue.
        """
        self._stdin.close()
        with contextlib.suppress(OSError):
            await self._stdin.wait_closed()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()
        await self._tail.stop()
        # Unread pipes keep asyncio's transport open; asyncio has no public close.
        self._process._transport.close()  # type: ignore[attr-defined] # see above


def clean_environment() -> dict[str, str]:
    """Return the environment of local programs: as of an SSH login, plus the agent's variables.

    Excludes the worker's secrets.
    """
    return {
        name: value
        for name, value in os.environ.items()
        if name in INHERITED_VARIABLES or name.startswith(INHERITED_PREFIXES)
    }


class LocalTransport:
    """Starts programs on this machine without a shell."""

    def __init__(self, host: str) -> None:
        self._host = host

    async def open(self, argv: Sequence[str]) -> LocalChannel:
        """Start argv. Raises: HostError unreachable if that fails."""
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                start_new_session=True,
                env=clean_environment(),
            )
        except OSError as error:
            raise host_error("unreachable", self._host, error.strerror or str(error)) from error
        return LocalChannel(process, self._host)

    async def close(self) -> None:
        """Do nothing: each channel ends its own program."""
