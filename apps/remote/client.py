"""A host's verbs as typed methods, over whatever session the host has at the moment."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TypeVar

from apps.tools.messages import message

from .answers import (
    MOST_BYTES,
    CancelAnswer,
    ClusterAnswer,
    Facts,
    FactsAnswer,
    InspectAnswer,
    InstallAnswer,
    Ping,
    PingAnswer,
    RecoverAnswer,
    TidyAnswer,
    Told,
)
from .boundary import typed
from .connection import HostSpec
from .errors import BadAnswer, HostError, host_error
from .job_spec import JobSpec
from .pool import Sessions
from .session import CALL_SECONDS, Session, VerbAnswer
from .status import FilePiece, HostFile, Sink, Status, brought_files, read_status

T = TypeVar("T")
READ_BYTES = 1 << 20
PASSING = ("lost_contact", "timeout", "unreachable", "busy")
FOLLOW_BYTES = 256 << 10  # of a job's files that are under way to whoever watches it
SIDE_BY_SIDE = 3  # files of one host read at once: each has a piece under way
READ_TRIES = 8  # losses of contact in a row, without a byte in between, that a read survives
LAUNCH_SECONDS = 120.0  # launch waits for the supervisor to begin, on a loaded host too
INSTALL_BYTES = 64 << 20  # of a package manager's words
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
        self, verb: str, kind: type[T], timeout: float = CALL_SECONDS, /, **arguments: object
    ) -> T:
        """The answer to a verb, as one of the types of apps.remote.answers."""
        session = await self._session()
        answer = await session.call(verb, timeout=timeout, **arguments)
        return _checked(session, answer.data, kind, verb)

    async def reach(self) -> None:
        """Connect, where that has not been done: nothing is asked yet."""
        await self._session()

    async def ping(self) -> Ping:
        """Round trip and clock offsets in seconds, and the boot id."""
        session = await self._session()
        before, started = time.time(), time.monotonic()
        answer = await session.call("ping")
        seconds = time.monotonic() - started
        data = _checked(session, answer.data, PingAnswer, "ping")
        return Ping(
            seconds=seconds,
            clock_offset=data.realtime - (before + seconds / 2),
            boot_id=data.boot_id,
            monotonic_offset=data.monotonic - (started + seconds / 2),
            free=data.free,
        )

    async def facts(self, programs: Sequence[str] = ()) -> Told:
        """The host's facts (docs: agent.md, facts). `programs`: what else than the agent's
        own list is asked for its version."""
        facts = (await self._ask("facts", FactsAnswer, 120.0, programs=list(programs))).facts
        _checked(await self._session(), facts, Facts, "facts")
        return facts

    async def cluster(self) -> ClusterAnswer:
        """The fsid of the Ceph cluster that the host is a client of, or none and why not; and the
        cluster's OSDs.
        """
        return await self._ask("cluster", ClusterAnswer, 180.0)

    async def inspect(
        self, identity: str, *, write: bool, fingerprint: Mapping[str, object] | None = None
    ) -> InspectAnswer:
        """Whether a disk could be claimed now, and what speaks against it; what it holds, and why
        that is not what is expected (docs: agent.md).
        """
        asked = {"identity": identity, "write": write, "fingerprint": fingerprint}
        return await self._ask("inspect", InspectAnswer, 120.0, **asked)

    async def launch(self, spec: JobSpec) -> Status:
        """Start an attempt, unless it was started before (safe to repeat); the attempt as it is
        then.
        """
        return await self._status("launch", LAUNCH_SECONDS, spec["attempt"], spec=spec)

    async def status(self, attempt: str, *, renew: bool = False) -> Status:
        """The attempt now. With `renew` its lease starts anew: somebody looks after it."""
        more = {"renew": True} if renew else {}
        return await self._status("status", 120.0, attempt, **more)

    async def release(self, attempt: str, *, at: float) -> None:
        """Let a job that is held in phase "ready" start at this second of its own host's
        CLOCK_MONOTONIC; at once when that has passed.
        """
        await self._ask("release", Told, attempt=attempt, at=at)

    async def wait(self, attempt: str, *, timeout: float | None = None, most: int = 0) -> Status:
        """The attempt when its last process is gone, with its files where they have at most `most`
        bytes. Raises HostError timeout after `timeout` seconds.
        """
        return await self._status("wait", timeout, attempt, most=most)

    async def _status(
        self, verb: str, timeout: float | None, attempt: str, **more: object
    ) -> Status:
        session = await self._session()
        asked = more if "spec" in more else {"attempt": attempt, **more}
        answer = await session.call(verb, timeout=timeout, **asked)
        status = _typed(session, attempt, answer.data)
        if answer.data.get("brought") is not True or status.bad:
            return status
        return replace(status, brought=brought_files(status, answer.payload))

    async def follow(
        self, attempt: str, offsets: Mapping[str, int]
    ) -> AsyncIterator[FilePiece | Status]:
        """The files' new bytes from the given offsets while the job runs, FOLLOW_BYTES of them at
        most; last, its status. Call again with the offsets reached while the job runs, also after
        HostError lost_contact.
        """
        session, reached = await self._session(), dict(offsets)
        stream = session.stream("follow", attempt=attempt, offsets=reached, most=FOLLOW_BYTES)
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                if piece.more:
                    yield _piece_of(session, piece, reached)
                else:
                    yield _typed(session, attempt, piece.data)

    async def read_file(self, attempt: str, file: HostFile, sink: Sink) -> None:
        """Hand a whole output file to the sink, resumed where it was cut, checked on the way: as
        long as `file` says, with its SHA-256 (a job that still runs has none). What the sink raises
        ends it.

        Raises HostError agent when the bytes are not the expected ones.
        """
        read, lost, digest = 0, 0, hashlib.sha256()
        while read < file.size:
            try:
                piece = await self._piece(attempt, file.name, read, file.size - read)
            except HostError as error:
                lost += 1
                if error.kind not in PASSING or lost > READ_TRIES:
                    raise
                await asyncio.sleep(min(0.5 * 2**lost, 10.0))
                continue
            lost, read = 0, read + len(piece)
            await asyncio.to_thread(_handed_on, piece, digest.update, sink.write)
        if file.sha256 and digest.hexdigest() != file.sha256:
            host = (await self._session()).host
            raise BadAnswer(
                host, message("%(file)s did not arrive as it is on the host", file=file.name)
            )

    async def read_files(self, status: Status, sinks: Mapping[str, Sink]) -> None:
        """Every file of an ended attempt to the sink of its name, as `read_file` does, a few side
        by side; the first error ends the others.
        """
        left = iter(status.files)

        async def some() -> None:
            for file in left:
                await self.read_file(status.attempt, file, sinks[file.name])

        tasks = [asyncio.create_task(some()) for _ in range(SIDE_BY_SIDE)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _piece(self, attempt: str, name: str, offset: int, left: int) -> bytes:
        session = await self._session()
        length = min(left, READ_BYTES)
        answer = await session.call(
            "read", attempt=attempt, file=name, offset=offset, length=length
        )
        if not answer.payload:
            raise host_error(
                "agent", session.host, message("%(file)s is shorter than it was", file=name)
            )
        if len(answer.payload) > length:
            raise BadAnswer(
                session.host, message("more bytes of %(file)s than were asked for", file=name)
            )
        return answer.payload

    async def cancel(self, attempt: str, *, grace: float = 5.0, tidying: float = 0.0) -> Status:
        """End the whole process tree: TERM, INT, KILL, `grace` seconds each at most; then wait for
        the job's commands that are always run, which may take `tidying` seconds. Safe to repeat.
        """
        session = await self._session()
        timeout = 3 * grace + tidying + CALL_SECONDS
        answer = await session.call("cancel", timeout=timeout, attempt=attempt, grace=grace)
        survivors = _checked(session, answer.data, CancelAnswer, "cancel").survivors
        return replace(_typed(session, attempt, answer.data), survivors=tuple(survivors))

    async def recover(self, attempts: Sequence[str] = ()) -> RecoverAnswer:
        """Give back the settings of ended attempts (none named: of all)."""
        return await self._ask("recover", RecoverAnswer, 120.0, attempts=list(attempts))

    async def forget(self, attempt: str) -> None:
        """Delete a finished attempt's files on the host; its id can never start again."""
        await self._ask("forget", Told, 120.0, attempt=attempt)

    async def tidy(self, directory: str) -> int:
        """Remove benchlab's own test files from a scratch directory; how many there were."""
        return (await self._ask("tidy", TidyAnswer, 120.0, directory=directory)).removed

    async def install(self, package: str) -> AsyncIterator[str | int]:
        """Install from the agent's short list: the package manager's words, then its exit code."""
        session = await self._session()
        stream = session.stream("install", timeout=INSTALL_SILENCE, package=package)
        said = 0
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                if piece.more:
                    said += len(piece.payload) or 1
                    if said > INSTALL_BYTES:
                        raise BadAnswer(
                            session.host, message("its package manager talks without end")
                        )
                    yield piece.payload.decode("utf-8", "replace")
                else:
                    yield _checked(session, piece.data, InstallAnswer, "install").exit_code


def _handed_on(data: bytes, *takers: Callable[[bytes], None]) -> None:
    for take in takers:
        take(data)


def _typed(session: Session, attempt: str, data: Told) -> Status:
    try:
        return read_status(attempt, data)
    except ValueError as error:
        raise BadAnswer(session.host, str(error)) from error


def _checked(session: Session, value: object, kind: type[T], what: str) -> T:
    """The value as that type. Raises BadAnswer."""
    try:
        return typed(value, kind, what)
    except ValueError as error:
        raise BadAnswer(session.host, str(error)) from error


def _piece_of(session: Session, answer: VerbAnswer, reached: dict[str, int]) -> FilePiece:
    """The next piece of a file that was asked for; `reached` goes on behind it."""
    file, offset = answer.data.get("file"), answer.data.get("offset")
    if file not in reached or offset != reached[file] or offset > MOST_BYTES:
        raise BadAnswer(
            session.host,
            message(
                "a piece of %(file)s at %(offset)s",
                file=repr(str(file)[:80]),
                offset=str(offset)[:40],
            ),
        )
    reached[file] += len(answer.payload)
    return FilePiece(str(file), reached[file] - len(answer.payload), answer.payload)
