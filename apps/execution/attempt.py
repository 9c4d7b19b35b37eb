"""Driving one attempt from its row in PostgreSQL to its result, over and over if need be.

Every step may be repeated: a worker that dies anywhere leaves a row and a job folder, and the next
one goes on from what those two say. Nothing here remembers anything that is not also there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from apps.execution import services
from apps.execution.crash import crash_point
from apps.execution.database import patiently
from apps.execution.hosts import HostBook, facts_fresh
from apps.execution.live import Live
from apps.execution.verify import CANCELLED
from apps.execution.watch import Watcher
from apps.inventory.facts import cleaned
from apps.remote.answers import Piece, Status
from apps.remote.client import Client
from apps.remote.errors import HostError
from apps.runs.models import Attempt, AttemptState, Fault

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

# Seconds a host that cannot be reached is tried before its cases are given up; nothing was started
# on it yet.
REACH_FOR = 45.0
RENEW_EVERY = 5.0
# Looks in a row that find an attempt ended, before the stream that should have said so is given up.
SILENT_ENDS = 4
GRACE = 3.0
GONE = "the host no longer has this attempt's folder"
STARTED = (AttemptState.RUNNING, AttemptState.COLLECTING, AttemptState.PARSING)


class HostUnusable(Exception):
    """Before anything was started the host turned out not to be usable; its other cases need not
    try.
    """


class Attempting:
    """One attempt in the hands of one worker. `cancelled` is set when somebody asked for the run's
    end.
    """

    def __init__(self, attempt: Attempt, hold: services.Hold, book: HostBook, live: Live) -> None:
        self.attempt = attempt
        self._hold, self._book, self._live = hold, book, live
        self.cancelled = asyncio.Event()

    async def drive(self) -> None:
        """Go on from wherever the attempt is until it has ended. Raises HostUnusable, Overtaken."""
        if self.attempt.is_final:
            return None
        if self.attempt.state == AttemptState.PARSING:
            return await self._publish()
        client = await self._client()
        status = await self._reach(client)
        if status.state == "absent":
            begun = await self._begin(client)
            if begun is None:
                return None
            status = begun
        return await self._finish(client, await self._until_ended(client, status))

    async def _client(self) -> Client:
        return await self._book.client(self.attempt.case.host_id)

    async def _reach(self, client: Client) -> Status:
        """The attempt as the host knows it. Patient for ever once it was started, for a while
        before.
        """
        started = self.attempt.state in STARTED
        deadline = asyncio.get_running_loop().time() + REACH_FOR
        while True:
            try:
                return await client.status(str(self.attempt.pk))
            except HostError as error:
                if not started and (
                    error.kind not in ("unreachable", "lost_contact", "timeout", "busy")
                    or asyncio.get_running_loop().time() > deadline
                    or self.cancelled.is_set()
                ):
                    await self._give_up(error.message)
                    raise HostUnusable(error.message) from error
                await self._contact_lost(error)

    async def _give_up(self, message: str) -> None:
        if self.cancelled.is_set():
            return await self._close(AttemptState.CANCELLED, "cancelled before it started", "")
        return await self._close(AttemptState.FAILED, message, Fault.HOST)

    async def _begin(self, client: Client) -> Status | None:
        """Preflight and launch. None when it ended before anything was started."""
        if self.attempt.state in STARTED:
            await self._gone()
            return None
        if self.cancelled.is_set():
            await self._close(AttemptState.CANCELLED, "cancelled before it started", "")
            return None
        if refusal := await patiently(services.refusal_now, self.attempt):
            await self._close(AttemptState.FAILED, refusal, Fault.PLAN)
            return None
        try:
            facts = await facts_fresh(client, self.attempt.case.host_id)
            await self._advance(AttemptState.PREFLIGHT, facts=facts)
            crash_point("preflight-done")
            await client.launch(self.attempt.spec)
            crash_point("launched")
            await self._advance(AttemptState.RUNNING)
            return await client.status(str(self.attempt.pk))
        except HostError as error:
            if error.kind == "agent":
                await self._close(AttemptState.FAILED, error.message, Fault.HOST)
                return None
            return await self._reach_again(client, error)

    async def _reach_again(self, client: Client, error: HostError) -> Status | None:
        """Contact broke somewhere in the launch: whether it was started only the host can tell."""
        await self._contact_lost(error)
        status = await self._reach(client)
        return status if status.state != "absent" else await self._begin(client)

    async def _until_ended(self, client: Client, status: Status) -> Status:
        """Follow the attempt until its last process is gone, through any loss of contact, or end
        it.
        """
        if self.attempt.state in (AttemptState.CLAIMED, AttemptState.PREFLIGHT):
            await self._advance(AttemptState.PREFLIGHT)
            await self._advance(AttemptState.RUNNING)
        watcher = Watcher(self._live, self._hold.run_id, self.attempt)
        await watcher.publish("state", {"state": "running"})
        while not status.ended and status.state != "absent":
            try:
                status = await self._follow_or_cancel(client, watcher)
            except HostError as error:
                await self._contact_lost(error)
        crash_point("ended")
        return status

    async def _follow_or_cancel(self, client: Client, watcher: Watcher) -> Status:
        # The end is known from waiting, at once; following looks at the files every now and then.
        waiting = asyncio.create_task(client.wait(str(self.attempt.pk)))
        following = asyncio.create_task(self._follow(client, watcher))
        cancelling = asyncio.create_task(self.cancelled.wait())
        renewing = asyncio.create_task(self._renew(client))
        tasks = (waiting, following, cancelling, renewing)
        try:
            await asyncio.wait((waiting, cancelling), return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                return waiting.result()
            return await self._cancel(client)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, client: Client, watcher: Watcher) -> None:
        """Show the page what the files say as they grow. Trouble here costs no result."""
        try:
            async for piece in client.follow(str(self.attempt.pk), dict(watcher.offsets)):
                if isinstance(piece, Piece):
                    await watcher.feed(piece)
        except HostError as error:
            log.info("attempt %s is not shown live: %s", self.attempt.pk, error)

    async def _renew(self, client: Client) -> Status:
        """Tell the host that we are there, and the page what the host is doing. Returns only when
        the attempt has ended and whoever follows it has had time to say so and did not.
        """
        ends = 0
        while True:
            try:
                await client.renew([str(self.attempt.pk)])
                status = await client.status(str(self.attempt.pk))
                ends = ends + 1 if status.ended or status.state == "absent" else 0
                if ends >= SILENT_ENDS:
                    return status
                await self._write(services.attempt_phase, status.phase or "")
            except HostError as error:
                log.info("cannot renew attempt %s: %s", self.attempt.pk, error)
            await asyncio.sleep(RENEW_EVERY)

    async def _cancel(self, client: Client) -> Status:
        ended = await client.cancel(str(self.attempt.pk), grace=GRACE)
        if ended.survivors:
            log.warning("attempt %s: %s will not end", self.attempt.pk, ended.survivors)
            await asyncio.sleep(1.0)
        return ended.status

    async def _finish(self, client: Client, status: Status) -> None:
        """Take the files home, publish what they say, and let the host forget the attempt."""
        exit_: dict[str, Any] = cleaned(dict(status.exit or {}))
        known = {"exit": exit_, "argv": status.argv or []}
        if status.state == "refused":
            await self._close(AttemptState.FAILED, _sentences(status.refused), Fault.HOST)
        elif status.state == "absent":
            await self._gone()
            return
        elif status.state == "lost":
            await self._recover(client)
            await self._close(*self._without_exit(status))
        else:
            await self._advance(AttemptState.COLLECTING)
            files = await self._collect(client, status)
            crash_point("collected")
            times = {
                "started_at": services.moment((exit_.get("started") or {}).get("realtime")),
                "ended_at": services.moment((exit_.get("ended") or {}).get("realtime")),
            }
            self.attempt = await self._write(services.artifacts_store, files, known | times)
            crash_point("parsed")
            await self._publish()
        crash_point("closed")
        await self.clear(client)

    async def _gone(self) -> None:
        await self._close(AttemptState.LOST, GONE, Fault.HOST)
        await self._write(services.attempt_cleared)

    def _without_exit(self, status: Status) -> tuple[AttemptState, str, str]:
        """What an attempt without an exit code was: ended by our own cancel, or lost."""
        if self.cancelled.is_set():
            return AttemptState.CANCELLED, CANCELLED, ""
        return AttemptState.LOST, _lost_because(status), Fault.HOST

    async def _collect(self, client: Client, status: Status) -> dict[str, bytes]:
        while True:
            try:
                return await client.read_files(status)
            except HostError as error:
                if error.kind == "agent":
                    raise
                await self._contact_lost(error)

    async def _recover(self, client: Client) -> None:
        try:
            await client.recover([str(self.attempt.pk)])
        except HostError as error:
            log.warning("attempt %s: settings not given back yet: %s", self.attempt.pk, error)

    async def clear(self, client: Client) -> None:
        """Let the host forget an ended attempt. If that fails now the agent keeps it; nothing is
        lost.
        """
        try:
            await client.forget(str(self.attempt.pk))
        except HostError as error:
            log.info("attempt %s stays on its host for now: %s", self.attempt.pk, error)
            return
        await self._write(services.attempt_cleared)
        crash_point("cleared")

    async def _write(
        self,
        write: Callable[Concatenate[services.Hold, Attempt, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """One of the worker's writes about this attempt."""
        return await patiently(write, self._hold, self.attempt, *args, **kwargs)

    async def _publish(self) -> None:
        state = await self._write(services.attempt_publish)
        await self._live.publish(self._hold.run_id, "state", {"state": str(state)})

    async def _advance(self, state: AttemptState, **fields: Any) -> None:
        self.attempt = await self._write(services.attempt_advance, state, fields)

    async def _close(self, state: AttemptState, reason: str, fault: str) -> None:
        await self._write(services.attempt_close, state, reason, fault)
        await self._live.publish(self._hold.run_id, "state", {"state": str(state)})

    async def _contact_lost(self, error: HostError) -> None:
        log.info("attempt %s: %s", self.attempt.pk, error)
        await self._write(services.attempt_contact_lost, error.message)
        await asyncio.sleep(1.0)


def _sentences(refused: Any) -> str:
    reasons = refused.get("reasons") if isinstance(refused, dict) else refused
    if isinstance(reasons, (list, tuple)):
        return " ".join(str(reason) for reason in reasons)
    return str(reasons)


def _lost_because(status: Status) -> str:
    restarted = " (the host may have restarted)" if status.boot_id else ""
    return f"it can never finish: its processes are gone and left no exit code{restarted}"
