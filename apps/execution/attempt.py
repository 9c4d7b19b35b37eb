"""Driving one attempt on one host from its row in PostgreSQL to its result, over and over if need
be.

Every step may be repeated: a worker that dies anywhere leaves a row and a job folder, and the next
one goes on from what those two say. Nothing here remembers anything that is not also there.
"""

from __future__ import annotations

import asyncio
from typing import Any

from apps.execution import services
from apps.execution.crash import crash_point
from apps.execution.database import patiently
from apps.execution.hold import Hold
from apps.execution.hosts import HostBook, facts_fresh
from apps.execution.job import HostJob
from apps.execution.live import Live
from apps.execution.record import Record
from apps.execution.rights import refusal_now
from apps.execution.sentences import CANCELLED, GONE, bad_answer_text, lost_because, refusal_text
from apps.execution.side_by_side import unless
from apps.execution.watch import Watcher
from apps.inventory.facts import cleaned
from apps.remote.answers import Status
from apps.remote.client import Client
from apps.remote.errors import BadAnswer, HostError
from apps.runs.models import Attempt, AttemptState, Fault
from apps.runs.packing import Spool

# Seconds a host that cannot be reached is tried before its cases are given up; nothing was started
# on it yet.
REACH_FOR = 45.0
# Errors that may pass by themselves.
PASSING = ("unreachable", "lost_contact", "timeout", "busy")
STARTED = (AttemptState.RUNNING, AttemptState.COLLECTING, AttemptState.PARSING)
# Whether anything was started only the host can tell.
MAY_RUN = (AttemptState.PREFLIGHT, *STARTED)
NEVER_STARTED = "cancelled before it started"


class HostUnusable(Exception):
    """Before anything was started a host turned out not to be usable; its other cases need not
    try.
    """

    def __init__(self, host_id: int, message: str) -> None:
        super().__init__(message)
        self.host_id = host_id


class Attempting:
    """One attempt in the hands of one worker. `cancelled` is set when somebody asked for the run's
    end.
    """

    def __init__(self, attempt: Attempt, hold: Hold, book: HostBook, live: Live) -> None:
        self.record = Record(attempt, hold, live)
        self.cancelled = asyncio.Event()
        self._book = book

    @property
    def attempt(self) -> Attempt:
        return self.record.attempt

    @property
    def _host_id(self) -> int:
        return self.attempt.case.host_id

    async def drive(self) -> None:
        """Go on from wherever the attempt is until it has ended. Raises HostUnusable, Overtaken."""
        if self.attempt.is_final:
            return None
        if self.attempt.state == AttemptState.PARSING:
            return await self.record.publish()
        self._job = HostJob(str(self.attempt.pk), await self._client(), self.record)
        status = await self._reach()
        if status.state == "absent":
            begun = await self._begin()
            if begun is None:
                return None
            status = begun
        return await self._finish(await self._until_ended(status))

    async def _client(self) -> Client:
        try:
            started = self.attempt.state in MAY_RUN
            return await self._book.client(self._host_id, started=started)
        except HostError as error:
            await self._give_up(error.message)
            raise HostUnusable(self._host_id, error.message) from error

    async def _reach(self) -> Status:
        """The attempt as the host knows it. Patient for ever once it may have been started, for a
        while before.
        """
        if self.attempt.state in MAY_RUN:
            return await self._job.seen()
        deadline = asyncio.get_running_loop().time() + REACH_FOR
        while True:
            try:
                status = await unless(self.cancelled, self._job.client.status(self._job.name))
                return status or Status(self._job.name, "absent")
            except HostError as error:
                late = asyncio.get_running_loop().time() > deadline
                if error.kind not in PASSING or late or self.cancelled.is_set():
                    await self._give_up(error.message)
                    raise HostUnusable(self._host_id, error.message) from error
                await self.record.silent(self._job.name, error)

    async def _give_up(self, message: str) -> None:
        if self.cancelled.is_set():
            return await self.record.close(AttemptState.CANCELLED, NEVER_STARTED)
        return await self.record.close(AttemptState.FAILED, message, Fault.HOST)

    async def _begin(self) -> Status | None:
        """Preflight and launch. None when it ended before anything was started."""
        if self.attempt.state in STARTED:
            await self._gone()
            return None
        if self.cancelled.is_set():
            await self.record.close(AttemptState.CANCELLED, NEVER_STARTED)
            return None
        if refusal := await patiently(refusal_now, self.attempt):
            await self.record.close(AttemptState.FAILED, refusal, Fault.PLAN)
            return None
        try:
            return await self._launch()
        except HostError as error:
            if error.kind == "agent" and not self._may_have_started(error):
                message, state = error.message, AttemptState.FAILED
                await self.record.close(state, message, Fault.HOST, touched=False)
                return None
            return await self._reach_again(error)

    def _may_have_started(self, error: HostError) -> bool:
        """Whether a tool may run although the launch ended with this: an agent that says no starts
        nothing, one that answers nonsense may have.
        """
        if isinstance(error, BadAnswer):
            return self.attempt.state in MAY_RUN
        return self.attempt.state in STARTED

    async def _launch(self) -> Status:
        facts = await facts_fresh(self._job.client, self._host_id)
        await self.record.advance(AttemptState.PREFLIGHT, facts=facts)
        crash_point("preflight-done")
        await self._job.client.launch(self.attempt.spec)
        crash_point("launched")
        await self.record.advance(AttemptState.RUNNING)
        return await self._job.client.status(self._job.name)

    async def _reach_again(self, error: HostError) -> Status | None:
        """Contact broke somewhere in the launch: whether it was started only the host can tell."""
        await self.record.silent(self._job.name, error)
        status = await self._reach()
        return status if status.state != "absent" else await self._begin()

    async def _until_ended(self, status: Status) -> Status:
        """Follow the attempt until its last process is gone, through any loss of contact, or end
        it.
        """
        if self.attempt.state in (AttemptState.CLAIMED, AttemptState.PREFLIGHT):
            await self.record.advance(AttemptState.PREFLIGHT)
            await self.record.advance(AttemptState.RUNNING)
        watcher = Watcher(self.record.live, self.record.hold.run_id, self.attempt)
        await watcher.publish("state", {"state": "running"})
        status = await self._job.until_ended(status, watcher, self.cancelled)
        crash_point("ended")
        return status

    async def _finish(self, status: Status) -> None:
        """Take the files home, publish what they say, and let the host forget the attempt."""
        if status.state == "refused":
            reason = refusal_text(status.refused)
            await self.record.close(AttemptState.FAILED, reason, Fault.HOST, touched=False)
        elif status.state == "absent":
            await self._gone()
            return
        elif status.state == "lost":
            await self._job.recover()
            await self.record.close(*self._without_exit(status))
        elif status.bad:
            reason = bad_answer_text(self.attempt.case.host.name, status.bad)
            await self.record.close(AttemptState.FAILED, reason, Fault.HOST)
        else:
            await self._bring_home(status)
        crash_point("closed")
        if await self._job.forget():
            await self.record.write(services.attempt_cleared)
            crash_point("cleared")

    async def _bring_home(self, status: Status) -> None:
        exit_: dict[str, Any] = cleaned(dict(status.exit or {}))
        await self.record.advance(AttemptState.COLLECTING)
        known = {
            "exit": exit_,
            "argv": status.argv or [],
            "started_at": services.moment((exit_.get("started") or {}).get("realtime")),
            "ended_at": services.moment((exit_.get("ended") or {}).get("realtime")),
        }
        with Spool() as spool:
            files = await self._job.collect(status, spool)
            crash_point("collected")
            self.record.attempt = await self.record.write(services.artifacts_store, files, known)
        crash_point("parsed")
        await self.record.publish()

    async def _gone(self) -> None:
        await self.record.close(AttemptState.LOST, GONE, Fault.HOST)
        await self.record.write(services.attempt_cleared)

    def _without_exit(self, status: Status) -> tuple[AttemptState, str, str]:
        """What an attempt without an exit code was: ended by our own cancel, or lost."""
        if self.cancelled.is_set():
            return AttemptState.CANCELLED, CANCELLED, ""
        return AttemptState.LOST, lost_because(status.why), Fault.HOST
