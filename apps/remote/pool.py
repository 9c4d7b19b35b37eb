"""Pool of sessions, one per host: opened on demand, closed when idle, reopened after a loss."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Hashable
from dataclasses import dataclass, field

from .connection import HostSpec
from .errors import HostError
from .session import Session, open_session

IDLE_SECONDS = 300.0  # idle sessions are closed after this time
SWEEP_SECONDS = 30.0
FIRST_RETRY_SECONDS = 1.0  # after the first failed connect; doubles up to MAX_RETRY_SECONDS
MAX_RETRY_SECONDS = 3.0  # short, since a job may run on a host that returns
ADMIN_RETRY_SECONDS = 60.0  # for errors that only an admin can repair
ADMIN_ERRORS = (
    "refused_login",
    "key_changed",
    "key_unknown",
    "key_revoked",
    "no_python",
    "no_sudo",
)


@dataclass
class _Slot:
    """State of one host: its session, or the last error and the time of the next try.

    `retry_at` is in monotonic seconds.
    """

    spec: HostSpec
    session: Session | None = None
    failures: int = 0
    error: HostError | None = None
    retry_at: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def note_failure(self, error: HostError) -> None:
        """Store the error and set the next try with exponential backoff and jitter."""
        pause = min(FIRST_RETRY_SECONDS * 2 ** min(self.failures, 10), MAX_RETRY_SECONDS)
        if error.kind in ADMIN_ERRORS:
            pause = ADMIN_RETRY_SECONDS
        self.failures += 1
        self.error = error
        self.retry_at = time.monotonic() + pause * random.uniform(0.75, 1.0)

    def note_success(self, session: Session) -> None:
        """Store the session and reset the backoff."""
        self.session, self.error, self.failures = session, None, 0


class Sessions:
    """All sessions of one event loop by host id."""

    def __init__(self) -> None:
        self._slots: dict[Hashable, _Slot] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None

    async def get(self, host_id: Hashable, spec: HostSpec) -> Session:
        """Return the host's session; connects if there is none.

        Raises: HostError; until the next try the stored error, at once. A changed spec or `drop`
        resets the backoff.
        """
        self._start_sweeper()
        slot = self._slot(host_id, spec)
        async with slot.lock:
            if slot.session and not slot.session.closed:
                slot.session.used_at = time.monotonic()
                return slot.session
            if slot.session:
                self._retire(slot)
            if slot.error and time.monotonic() < slot.retry_at:
                raise HostError(slot.error.kind, slot.error.message)
            return await self._connect(host_id, slot)

    async def _connect(self, host_id: Hashable, slot: _Slot) -> Session:
        try:
            session = await open_session(slot.spec)
        except HostError as error:
            slot.note_failure(error)
            raise
        slot.note_success(session)
        if self._slots.get(host_id) is not slot:
            self._retire(slot)  # Dropped while connecting.
        return session

    def _slot(self, host_id: Hashable, spec: HostSpec) -> _Slot:
        slot = self._slots.get(host_id)
        if slot is None or slot.spec != spec:
            self.drop(host_id)
            slot = self._slots[host_id] = _Slot(spec)
        return slot

    def drop(self, host_id: Hashable) -> None:
        """Remove the host's session and errors; pending requests fail with lost_contact."""
        slot = self._slots.pop(host_id, None)
        if slot:
            self._retire(slot)

    def _retire(self, slot: _Slot) -> None:
        session, slot.session = slot.session, None
        if session:
            session.closed = True
            task = asyncio.get_running_loop().create_task(session.close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    def _start_sweeper(self) -> None:
        if self._sweeper is None:
            self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.close_idle()

    def close_idle(self) -> None:
        """Close sessions that are unused for IDLE_SECONDS or already closed."""
        oldest = time.monotonic() - IDLE_SECONDS
        for slot in self._slots.values():
            session = slot.session
            if session and (session.closed or (not session.pending and session.used_at < oldest)):
                self._retire(slot)

    async def close(self) -> None:
        """Close every session; jobs on the hosts continue."""
        if self._sweeper:
            self._sweeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweeper
            self._sweeper = None
        for host_id in list(self._slots):
            self.drop(host_id)
        await asyncio.gather(*self._closing, return_exceptions=True)
