"""Jobs, and SSH servers that run in the test's own process."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import asyncssh

from apps.remote.connection import HostSpec
from apps.remote.job_spec import JobSpec
from apps.remote.keys import generate_key
from tests.harness.documents import Document

SH = "/bin/sh"


def job(*argv: str, **more: Any) -> JobSpec:
    """A launch spec that touches no disk: one command in a directory."""
    spec: JobSpec = {
        "attempt": str(uuid.uuid4()),
        "commands": [{"role": "main", "argv": list(argv), "files": []}],
        "target": {"kind": "directory", "path": "/tmp", "needs": 0, "write": False},
        "tuning": [],
        "settle": 0.0,
        "lease": 60.0,
        "deadline": 120.0,
        "watch": [],
        "limit": 64 << 20,
    }
    whole: JobSpec = {**spec, **more}  # type: ignore[typeddict-item]  # keys of a test's own
    return whole


@dataclass
class Server:
    """An SSH server on loopback: what it saw, and how to reach it."""

    port: int = 0
    private_key: str = ""
    host_key: str = ""
    logins: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    connections: int = 0
    most_at_once: int = 0
    at_once: int = 0
    drop_first: int = 0
    children: list[asyncio.subprocess.Process] = field(default_factory=list)

    def spec(self, **changes: Any) -> HostSpec:
        """The way benchlab reaches it."""
        known: Document = {
            "address": "127.0.0.1",
            "port": self.port,
            "private_key": self.private_key,
            "host_key": self.host_key,
        }
        return HostSpec(**{**known, **changes})


class _Door(asyncssh.SSHServer):
    """Counts who comes, and hangs up on the first `drop_first` as MaxStartups does."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._server.connections += 1
        self._server.at_once += 1
        self._server.most_at_once = max(self._server.most_at_once, self._server.at_once)
        if self._server.connections <= self._server.drop_first:
            conn.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.at_once -= 1

    def begin_auth(self, username: str) -> bool:
        self._server.logins.append(username)
        return True

    def connection_requested(self, *_where: Any) -> bool:
        return True  # A jump host passes connections on.


async def _pump(source: Any, sink: Any, ending: Callable[[], None]) -> None:
    """Bytes from one stream to the other until either ends."""
    with suppress(asyncssh.Error, OSError):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
    with suppress(OSError):
        ending()


def _shell(server: Server) -> Callable[[asyncssh.SSHServerProcess[bytes]], Any]:
    async def run(process: asyncssh.SSHServerProcess[bytes]) -> None:
        """Run the command as sshd would, through the login shell."""
        server.commands.append(process.command or "")
        pipe = asyncio.subprocess.PIPE
        child = await asyncio.create_subprocess_exec(
            SH, "-c", process.command or "", stdin=pipe, stdout=pipe, stderr=pipe
        )
        assert child.stdin is not None
        server.children.append(child)
        await asyncio.gather(
            _pump(process.stdin, child.stdin, child.stdin.close),
            _pump(child.stdout, process.stdout, process.stdout.write_eof),
            _pump(child.stderr, process.stderr, lambda: None),
        )
        process.exit(await child.wait())

    return run


@asynccontextmanager
async def ssh_server(algorithm: str = "ssh-ed25519") -> AsyncIterator[Server]:
    """A listening server; the key it accepts and the key it shows are in it."""
    private, public = generate_key()
    host_key = asyncssh.generate_private_key(algorithm)
    server = Server(private_key=private, host_key=host_key.export_public_key().decode().strip())
    listener = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_factory=lambda: _Door(server),
        server_host_keys=[host_key],
        authorized_client_keys=asyncssh.import_authorized_keys(public),
        process_factory=_shell(server),
        encoding=None,
        config=None,
    )
    server.port = listener.get_port()
    try:
        yield server
    finally:
        listener.close()
        await listener.wait_closed()
        for child in server.children:
            async with asyncio.timeout(10):
                await child.wait()
        await asyncio.sleep(0)  # The pumps see their end.
