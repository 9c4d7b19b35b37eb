"""One session a host, made when it is needed, given up when it is idle, made again after a loss."""

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

IDLE_SECONDS = 300.0  # a session without requests is closed after that
SWEEP_SECONDS = 30.0
FIRST_PAUSE = 1.0  # after the first failed connect; doubles up to RETRY_PAUSE, in seconds
RETRY_PAUSE = 3.0  # a host that is back should not wait long for us: something may run on it
LONGEST_PAUSE = 60.0  # where a person has to repair something first
NEEDS_A_PERSON = ("refused_login", "key_changed", "key_unknown", "no_python", "no_sudo")


@dataclass
class _Slot:
    """The state of one host: its session, or the last failure and when to try again
    (monotonic seconds).
    """

    spec: HostSpec
    session: Session | None = None
    failures: int = 0
    error: HostError | None = None
    retry_at: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def note_failure(self, error: HostError) -> None:
        """Count it, and wait longer each time; what only a person can repair waits longest at
        once.
        """
        pause = min(FIRST_PAUSE * 2 ** min(self.failures, 10), RETRY_PAUSE)
        if error.kind in NEEDS_A_PERSON:
            pause = LONGEST_PAUSE
        self.failures += 1
        self.error = error
        self.retry_at = time.monotonic() + pause * random.uniform(0.75, 1.0)

    def note_success(self, session: Session) -> None:
        """The host is there again."""
        self.session, self.error, self.failures = session, None, 0


class Sessions:
    """All sessions of one event loop, by host id."""

    def __init__(self) -> None:
        self._places: dict[Hashable, _Slot] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None

    async def get(self, host_id: Hashable, spec: HostSpec) -> Session:
        """The host's session, connecting if need be.

        Raises HostError; within the pause after a failed connect it is the same error again, at
        once. A changed spec, or `drop`, ends the pause.
        """
        self._start_sweeper()
        place = self._place(host_id, spec)
        async with place.lock:
            if place.session and not place.session.closed:
                place.session.used = time.monotonic()
                return place.session
            if place.session:
                self._retire(place)
            if place.error and time.monotonic() < place.retry_at:
                raise HostError(place.error.kind, place.error.message)
            return await self._connect(host_id, place)

    async def _connect(self, host_id: Hashable, place: _Slot) -> Session:
        try:
            session = await open_session(place.spec)
        except HostError as error:
            place.note_failure(error)
            raise
        place.note_success(session)
        if self._places.get(host_id) is not place:
            self._retire(place)  # Dropped while connecting.
        return session

    def _place(self, host_id: Hashable, spec: HostSpec) -> _Slot:
        place = self._places.get(host_id)
        if place is None or place.spec != spec:
            self.drop(host_id)
            place = self._places[host_id] = _Slot(spec)
        return place

    def drop(self, host_id: Hashable) -> None:
        """Forget the host's session and its failures; requests under way fail with lost_contact."""
        place = self._places.pop(host_id, None)
        if place:
            self._retire(place)

    def _retire(self, place: _Slot) -> None:
        session, place.session = place.session, None
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
        """Close what nobody has used for IDLE_SECONDS, and what is dead already."""
        oldest = time.monotonic() - IDLE_SECONDS
        for place in self._places.values():
            session = place.session
            if session and (session.closed or (not session.pending and session.used < oldest)):
                self._retire(place)

    async def close(self) -> None:
        """Close every session; what runs on the hosts runs on."""
        if self._sweeper:
            self._sweeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweeper
            self._sweeper = None
        for host_id in list(self._places):
            self.drop(host_id)
        await asyncio.gather(*self._closing, return_exceptions=True)
