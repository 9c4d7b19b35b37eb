"""The machine benchlab runs on, with the interface of a host over SSH."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence

from apps.tools.messages import message

from .errors import host_error
from .link import Tail

CLOSE_SECONDS = 3.0
PASSED = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "TERM", "XDG_STATE_HOME")
PASSED_PREFIXES = ("BENCHLAB_AGENT_", "BENCHLAB_TOOLS_", "LC_")


class LocalChannel:
    """A child process in a session of its own, so that a Ctrl-C meant for benchlab does not reach
    it.
    """

    def __init__(self, process: asyncio.subprocess.Process, host: str) -> None:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self._process = process
        self._stdin, self._stdout = process.stdin, process.stdout
        self._host = host
        self._tail = Tail(process.stderr)

    async def read(self, size: int) -> bytes:
        """At most size bytes of stdout; b"" at the end."""
        return await self._stdout.read(size)

    async def write(self, data: bytes) -> None:
        """Send data to stdin. Raises HostError lost_contact when the program has gone."""
        try:
            self._stdin.write(data)
            await self._stdin.drain()
        except OSError as error:
            raise host_error(
                "lost_contact", self._host, message("the agent's session ended")
            ) from error

    def complaint(self) -> str:
        """The last line of stderr."""
        return self._tail.last_line()

    async def close(self) -> None:
        """End of input ends the session; what does not listen is killed. Jobs have their own
        session.
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
        # Pipes that nobody read to their end keep the transport open; asyncio has no public close.
        self._process._transport.close()  # type: ignore[attr-defined] # see above


def clean_environment() -> dict[str, str]:
    """The environment a program here inherits: what a login over SSH would give it, and the agent's
    own variables. The worker's secrets are not among them.
    """
    return {
        name: value
        for name, value in os.environ.items()
        if name in PASSED or name.startswith(PASSED_PREFIXES)
    }


class LocalLink:
    """Starts programs on this machine, without a shell in between."""

    def __init__(self, host: str) -> None:
        self._host = host

    async def open(self, argv: Sequence[str]) -> LocalChannel:
        """Start argv. Raises HostError unreachable when the machine cannot."""
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
        """Nothing to give up: each channel ends its own program."""
