"""Typed methods for the verbs of the agent, over the present session of a host."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TypeVar

from apps.tools.messages import message

from .checked_responses import checked_piece, checked_response, checked_status
from .cluster_responses import ClusterResponse
from .connection import HostSpec
from .errors import HostError, InvalidResponse, host_error
from .job_spec import JobSpec
from .pool import Sessions
from .responses import (
    CancelResponse,
    CleanupDirectoriesResponse,
    Facts,
    FactsResponse,
    InspectResponse,
    InstallResponse,
    JsonObject,
    Ping,
    PingResponse,
    RestoreSettingsResponse,
)
from .session import CALL_SECONDS, Session
from .status import FilePiece, HostFile, Sink, Status, included_files

T = TypeVar("T")
READ_BYTES = 1 << 20
RETRYABLE_ERRORS = ("lost_contact", "timeout", "unreachable", "busy")
FOLLOW_BYTES = 256 << 10  # of a job's files per `follow` request
PARALLEL_READS = 3  # files of one host read at the same time
MAX_READ_RETRIES = 8  # consecutive errors without a byte read
LAUNCH_SECONDS = 120.0  # `launch` waits for the supervisor to start, also on a loaded host
MAX_INSTALL_BYTES = 64 << 20  # of a package manager's output
INSTALL_TIMEOUT_SECONDS = 600.0  # without output of the package manager


class Client:
    """Client of one host. Every method raises HostError; AgentCommandError if the agent refuses."""

    def __init__(self, session: Callable[[], Awaitable[Session]]) -> None:
        self._session = session

    @classmethod
    def of(cls, sessions: Sessions, host_id: Hashable, spec: HostSpec) -> Client:
        """Return a client that gets its session from the pool for each request."""
        return cls(lambda: sessions.get(host_id, spec))

    async def _call(
        self, verb: str, kind: type[T], timeout: float = CALL_SECONDS, /, **arguments: object
    ) -> T:
        """Send a request and return its response as `kind`, a type of apps.remote.responses."""
        session = await self._session()
        response = await session.call(verb, timeout=timeout, **arguments)
        return checked_response(session, response.data, kind, verb)

    async def connect(self) -> None:
        """Open a session if there is none."""
        await self._session()

    async def ping(self) -> Ping:
        """Return round trip and clock offsets in seconds, and the boot id."""
        session = await self._session()
        before, started = time.time(), time.monotonic()
        response = await session.call("ping")
        seconds = time.monotonic() - started
        data = checked_response(session, response.data, PingResponse, "ping")
        return Ping(
            seconds=seconds,
            clock_offset=data.realtime - (before + seconds / 2),
            boot_id=data.boot_id,
            monotonic_offset=data.monotonic - (started + seconds / 2),
            free=data.free,
        )

    async def facts(self, programs: Sequence[str] = ()) -> JsonObject:
        """Return the host's facts (docs: agent.md, "facts").

        `programs`: programs besides the agent's own list whose version is read.
        """
        facts = (await self._call("facts", FactsResponse, 120.0, programs=list(programs))).facts
        checked_response(await self._session(), facts, Facts, "facts")
        return facts

    async def cluster(self) -> ClusterResponse:
        """Return the fsid of the host's Ceph cluster or an error, and the cluster's OSDs."""
        return await self._call("cluster", ClusterResponse, 180.0)

    async def inspect(
        self, identity: str, *, write: bool, fingerprint: Mapping[str, object] | None = None
    ) -> InspectResponse:
        """Check whether a disk can be claimed, and compare its content with a fingerprint."""
        arguments = {"identity": identity, "write": write, "fingerprint": fingerprint}
        return await self._call("inspect", InspectResponse, 120.0, **arguments)

    async def launch(self, spec: JobSpec) -> Status:
        """Start an attempt unless it was started before, and return its status. Idempotent."""
        return await self._status("launch", LAUNCH_SECONDS, spec["attempt"], spec=spec)

    async def status(self, attempt: str, *, renew: bool = False) -> Status:
        """Return the present status. `renew` renews the lease of the job."""
        options = {"renew": True} if renew else {}
        return await self._status("status", 120.0, attempt, **options)

    async def start_held(self, attempt: str, *, start_at: float) -> None:
        """Start a job in phase "ready" at this second of its host's CLOCK_MONOTONIC.

        Starts at once if that has passed.
        """
        await self._call("start_held", JsonObject, attempt=attempt, start_at=start_at)

    async def wait(
        self, attempt: str, *, timeout: float | None = None, max_bytes: int = 0
    ) -> Status:
        """Return the status after the last process of the job has ended.

        Includes the files if they have at most `max_bytes` bytes in total.
        Raises: HostError timeout after `timeout` seconds.
        """
        return await self._status("wait", timeout, attempt, max_bytes=max_bytes)

    async def _status(
        self, verb: str, timeout: float | None, attempt: str, **options: object
    ) -> Status:
        session = await self._session()
        arguments = options if "spec" in options else {"attempt": attempt, **options}
        response = await session.call(verb, timeout=timeout, **arguments)
        status = checked_status(session, attempt, response.data)
        if response.data.get("files_included") is not True or status.invalid:
            return status
        return replace(status, file_contents=included_files(status, response.payload))

    async def follow(
        self, attempt: str, offsets: Mapping[str, int]
    ) -> AsyncIterator[FilePiece | Status]:
        """Yield new bytes of the files from the offsets on, at most FOLLOW_BYTES; last, the status.

        Call again with the new offsets while the job runs, also after HostError lost_contact.
        """
        session, positions = await self._session(), dict(offsets)
        stream = session.stream(
            "follow", attempt=attempt, offsets=positions, max_bytes=FOLLOW_BYTES
        )
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                if piece.more:
                    yield checked_piece(session, piece, positions)
                else:
                    yield checked_status(session, attempt, piece.data)

    async def read_file(self, attempt: str, file: HostFile, sink: Sink) -> None:
        """Copy a complete output file to the sink; resumes after a lost connection.

        Verifies the size, and the SHA-256 of a file whose job has ended. Raises: HostError agent if
        the bytes differ; errors of the sink.
        """
        read, errors, digest = 0, 0, hashlib.sha256()
        while read < file.size:
            try:
                piece = await self._piece(attempt, file.name, read, file.size - read)
            except HostError as error:
                errors += 1
                if error.kind not in RETRYABLE_ERRORS or errors > MAX_READ_RETRIES:
                    raise
                await asyncio.sleep(min(0.5 * 2**errors, 10.0))
                continue
            errors, read = 0, read + len(piece)
            await asyncio.to_thread(_feed, piece, digest.update, sink.write)
        if file.sha256 and digest.hexdigest() != file.sha256:
            host = (await self._session()).host
            raise InvalidResponse(
                host, message("%(file)s differs from the file on the host", file=file.name)
            )

    async def read_files(self, status: Status, sinks: Mapping[str, Sink]) -> None:
        """Copy every file of an ended attempt to the sink of its name, a few at the same time.

        The first error cancels the others.
        """
        remaining = iter(status.files)

        async def copy_files() -> None:
            for file in remaining:
                await self.read_file(status.attempt, file, sinks[file.name])

        tasks = [asyncio.create_task(copy_files()) for _ in range(PARALLEL_READS)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _piece(self, attempt: str, name: str, offset: int, remaining: int) -> bytes:
        session = await self._session()
        length = min(remaining, READ_BYTES)
        response = await session.call(
            "read", attempt=attempt, file=name, offset=offset, length=length
        )
        if not response.payload:
            raise host_error(
                "agent", session.host, message("%(file)s is shorter than before", file=name)
            )
        if len(response.payload) > length:
            raise InvalidResponse(
                session.host, message("more bytes of %(file)s than requested", file=name)
            )
        return response.payload

    async def cancel(
        self,
        attempt: str,
        *,
        grace: float = 5.0,
        cleanup_seconds: float = 0.0,
        carry: bool = False,
    ) -> Status:
        """End the process tree with TERM, INT and KILL, `grace` seconds apart. Idempotent.

        Then waits for the job's `always` commands, which may take `cleanup_seconds`. `carry`: its
        settings stay for the next job with the same key.
        """
        session = await self._session()
        timeout = 3 * grace + cleanup_seconds + CALL_SECONDS
        more = {"carry": True} if carry else {}
        response = await session.call(
            "cancel", timeout=timeout, attempt=attempt, grace=grace, **more
        )
        survivors = checked_response(session, response.data, CancelResponse, "cancel").survivors
        return replace(checked_status(session, attempt, response.data), survivors=tuple(survivors))

    async def restore_settings(
        self, attempts: Sequence[str] = (), *, seconds: float = 120.0
    ) -> RestoreSettingsResponse:
        """Restore the settings of ended attempts; of all if `attempts` is empty."""
        return await self._call(
            "restore_settings", RestoreSettingsResponse, seconds, attempts=list(attempts)
        )

    async def delete_job(self, attempt: str) -> None:
        """Delete a finished attempt's files on the host; its id cannot start again."""
        await self._call("delete_job", JsonObject, 120.0, attempt=attempt)

    async def cleanup_directories(self, directory: str) -> int:
        """Remove benchlab's files from a scratch directory; return their number."""
        response = await self._call(
            "cleanup_directories", CleanupDirectoriesResponse, 120.0, directory=directory
        )
        return response.removed

    async def install(self, package: str) -> AsyncIterator[str | int]:
        """Install a package of the agent's list; yield the output, then the exit code."""
        session = await self._session()
        stream = session.stream("install", timeout=INSTALL_TIMEOUT_SECONDS, package=package)
        received = 0
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                if piece.more:
                    received += len(piece.payload) or 1
                    if received > MAX_INSTALL_BYTES:
                        raise InvalidResponse(
                            session.host, message("its package manager prints too much")
                        )
                    yield piece.payload.decode("utf-8", "replace")
                else:
                    yield checked_response(
                        session, piece.data, InstallResponse, "install"
                    ).exit_code


def _feed(data: bytes, *consumers: Callable[[bytes], None]) -> None:
    for consume in consumers:
        consume(data)
