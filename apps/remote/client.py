"""A host's verbs as typed methods, over whatever session the host has at the moment."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from .answers import Cancelled, Inspection, Piece, Ping, Recovered, Status, read_status
from .connection import HostSpec
from .errors import HostError, host_error
from .frames import JSON
from .pool import Sessions
from .session import CALL_SECONDS, Session

READ_BYTES = 1 << 20
PASSING = ("lost_contact", "timeout", "unreachable", "busy")
READ_TRIES = 8  # losses of contact in a row, without a byte in between, that a read survives
LAUNCH_SECONDS = 120.0  # launch waits for the supervisor to begin, on a loaded host too
INSTALL_SILENCE = 600.0  # seconds a package manager may say nothing


class Client:
    """One host. Every method raises HostError (AgentRefusal when the agent itself said no)."""

    def __init__(self, session: Callable[[], Awaitable[Session]]) -> None:
        self._session = session

    @classmethod
    def of(cls, sessions: Sessions, host_id: Hashable, spec: HostSpec) -> Client:
        """A client that asks the pool for the session each time."""
        return cls(lambda: sessions.get(host_id, spec))

    async def _ask(
        self, verb: str, timeout: float | None = CALL_SECONDS, /, **arguments: Any
    ) -> JSON:
        session = await self._session()
        return (await session.call(verb, timeout=timeout, **arguments)).data

    async def ping(self) -> Ping:
        """Round trip and clock offsets in seconds, and the boot id."""
        session = await self._session()
        before, started = time.time(), time.monotonic()
        data = (await session.call("ping")).data
        seconds = time.monotonic() - started
        return Ping(
            seconds=seconds,
            clock_offset=data["realtime"] - (before + seconds / 2),
            boot_id=data["boot_id"],
            monotonic_offset=data["monotonic"] - (started + seconds / 2),
        )

    async def facts(self) -> JSON:
        """What the host is made of (docs: agent.md, facts)."""
        facts: JSON = (await self._ask("facts", 120.0))["facts"]
        return facts

    async def inspect(self, identity: str, *, write: bool) -> Inspection:
        """Whether a disk could be claimed now, and what speaks against it."""
        data = await self._ask("inspect", 120.0, identity=identity, write=write)
        refusals, signatures = data.get("refusals") or (), data.get("signatures") or ()
        return Inspection(data.get("node"), data.get("size"), tuple(refusals), tuple(signatures))

    async def launch(self, spec: Mapping[str, Any]) -> str:
        """Start an attempt: "started", or "exists" when it was started before (safe to repeat)."""
        return str((await self._ask("launch", LAUNCH_SECONDS, spec=dict(spec)))["state"])

    async def status(self, attempt: str) -> Status:
        """The attempt now."""
        return await self._status("status", 120.0, attempt)

    async def release(self, attempt: str, *, at: float) -> None:
        """Let a job that is held in phase "ready" start at this second of its own host's
        CLOCK_MONOTONIC; at once when that has passed.
        """
        await self._ask("release", attempt=attempt, at=at)

    async def wait(self, attempt: str, *, timeout: float | None = None) -> Status:
        """The attempt when its last process is gone. Raises HostError timeout after `timeout`
        seconds.
        """
        return await self._status("wait", timeout, attempt)

    async def _status(self, verb: str, timeout: float | None, attempt: str) -> Status:
        session = await self._session()
        data = (await session.call(verb, timeout=timeout, attempt=attempt)).data
        return _typed(session, attempt, data)

    async def follow(
        self, attempt: str, offsets: Mapping[str, int]
    ) -> AsyncIterator[Piece | Status]:
        """The files' new bytes from the given offsets while the job runs; last, its status.

        After HostError lost_contact call again with the offsets reached.
        """
        session = await self._session()
        stream = session.stream("follow", attempt=attempt, offsets=dict(offsets))
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                if piece.more:
                    yield Piece(piece.data["file"], piece.data["offset"], piece.payload)
                else:
                    yield _typed(session, attempt, piece.data)

    async def read_file(self, attempt: str, name: str, size: int, sha256: str | None) -> bytes:
        """A whole output file, resumed where it was cut, `size` bytes long with that SHA-256.

        Without a `sha256` (the job still runs) only the size is checked. Raises HostError agent
        when the bytes are not the expected ones.
        """
        content, lost = bytearray(), 0
        while len(content) < size:
            try:
                content += await self._piece(attempt, name, len(content), size - len(content))
                lost = 0
            except HostError as error:
                lost += 1
                if error.kind not in PASSING or lost > READ_TRIES:
                    raise
                await asyncio.sleep(min(0.5 * 2**lost, 10.0))
        if sha256 and hashlib.sha256(content).hexdigest() != sha256:
            raise host_error("agent", attempt, f"{name} did not arrive as it is on the host")
        return bytes(content)

    async def read_files(self, status: Status) -> dict[str, bytes]:
        """Every file of an ended attempt, side by side, each as `read_file` gives it."""
        files = status.files
        contents = await asyncio.gather(
            *(self.read_file(status.attempt, f.name, f.size, f.sha256) for f in files)
        )
        return dict(zip((f.name for f in files), contents, strict=True))

    async def _piece(self, attempt: str, name: str, offset: int, left: int) -> bytes:
        session = await self._session()
        length = min(left, READ_BYTES)
        answer = await session.call(
            "read", attempt=attempt, file=name, offset=offset, length=length
        )
        if not answer.payload:
            raise host_error("agent", session.host, f"{name} is shorter than it was")
        return answer.payload

    async def cancel(self, attempt: str, *, grace: float = 5.0, tidying: float = 0.0) -> Cancelled:
        """End the whole process tree: TERM, INT, KILL, `grace` seconds each at most; then wait for
        the job's commands that are always run, which may take `tidying` seconds. Safe to repeat.
        """
        session = await self._session()
        timeout = 3 * grace + tidying + CALL_SECONDS
        answer = await session.call("cancel", timeout=timeout, attempt=attempt, grace=grace)
        survivors = tuple(answer.data.get("survivors") or ())
        return Cancelled(survivors, _typed(session, attempt, answer.data))

    async def renew(self, attempts: Sequence[str]) -> None:
        """Say that somebody still looks after these attempts: their leases start anew."""
        await self._ask("renew", attempts=list(attempts))

    async def recover(self, attempts: Sequence[str] = ()) -> Recovered:
        """Give back the settings of ended attempts (none named: of all)."""
        data = await self._ask("recover", 120.0, attempts=list(attempts))
        names = ("restored", "conflicts", "failed")
        return Recovered(*(tuple(data.get(name) or ()) for name in names))

    async def forget(self, attempt: str) -> None:
        """Delete a finished attempt's files on the host; its id can never start again."""
        await self._ask("forget", 120.0, attempt=attempt)

    async def tidy(self, directory: str) -> JSON:
        """Remove benchlab's own test files from a scratch directory."""
        return await self._ask("tidy", 120.0, directory=directory)

    async def install(self, package: str) -> AsyncIterator[str | int]:
        """Install from the agent's short list: the package manager's words, then its exit code."""
        session = await self._session()
        stream = session.stream("install", timeout=INSTALL_SILENCE, package=package)
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                if piece.more:
                    yield piece.payload.decode("utf-8", "replace")
                else:
                    yield int(piece.data["exit_code"])


def _typed(session: Session, attempt: str, data: JSON) -> Status:
    try:
        return read_status(attempt, data)
    except (KeyError, TypeError, ValueError) as error:
        raise host_error("agent", session.host, f"its status is unreadable ({error})") from error
