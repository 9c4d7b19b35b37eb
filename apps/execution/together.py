"""Driving one attempt on several hosts: its acts one after another, each on all its hosts at once.

What is known is in `Attempt.jobs`, `Attempt.exit` and the hosts' job folders, as for one host
(apps.execution.attempt): whoever comes next asks every host and goes on from there.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from itertools import groupby
from typing import Any

from apps.execution import services
from apps.execution.act import Act
from apps.execution.attempt import NEVER_STARTED, STARTED, HostUnusable
from apps.execution.crash import crash_point
from apps.execution.database import patiently
from apps.execution.gather import Brought, argv_of, gathered_exit, gathered_files, moments
from apps.execution.hold import Hold
from apps.execution.hosts import HostBook, facts_fresh
from apps.execution.live import Live
from apps.execution.record import Record
from apps.execution.rights import refusal_now
from apps.execution.shared_job import SharedJob, Stopped
from apps.execution.side_by_side import all_of, unless
from apps.remote.errors import BadAnswer, HostError
from apps.runs.models import Attempt, AttemptState, Fault
from apps.runs.packing import Spool


class Together:
    """One attempt in the hands of one worker. `cancelled` is set when somebody asked for the run's
    end.
    """

    def __init__(self, attempt: Attempt, hold: Hold, book: HostBook, live: Live) -> None:
        self.record = Record(attempt, hold, live)
        self.cancelled = asyncio.Event()
        self._book = book
        self._unusable: HostUnusable | None = None
        self._known: set[int] = set()
        # Whether a worker before this one may have launched something.
        self._resumed = attempt.state != AttemptState.CLAIMED

    @property
    def attempt(self) -> Attempt:
        return self.record.attempt

    async def drive(self) -> None:
        """Go on from wherever the attempt is until it has ended. Raises HostUnusable, Overtaken."""
        if self.attempt.is_final:
            return
        if self.attempt.state == AttemptState.PARSING:
            await self.record.publish()
            return
        try:
            await self._play()
        except Stopped as stop:  # before any job was there to be ended
            await self._stop(stop)
            await self._close()
        if self._unusable is not None:
            raise self._unusable

    async def _play(self) -> None:
        refused = None if self.attempt.state in STARTED else await self._refused()
        if refused and not self._resumed:
            raise refused
        self._jobs = [await self._job(entry) for entry in self.attempt.jobs]
        if refused:
            await self._stop(refused)
        # From here on a host may know a job, which the next worker must look for.
        await self.record.reach(AttemptState.PREFLIGHT)
        acts = [
            Act(list(jobs), self.record)
            for _, jobs in groupby(self._jobs, lambda job: job.entry["act"])
        ]
        for act in acts:
            await self._act(act)
        await self._bring_home()

    async def _refused(self) -> Stopped | None:
        """Why it may not start after all, if that is so."""
        if self.cancelled.is_set():
            return Stopped(AttemptState.CANCELLED, NEVER_STARTED)
        if refusal := await patiently(refusal_now, self.attempt):
            return Stopped(AttemptState.FAILED, refusal, Fault.PLAN)
        return None

    async def _job(self, entry: dict[str, Any]) -> SharedJob:
        try:
            client = await self._book.client(entry["host"], started=self._resumed)
        except HostError as error:
            state = AttemptState.FAILED
            raise Stopped(
                state, error.message, Fault.HOST, host=entry["host"], unusable=True
            ) from error
        job = SharedJob(entry, client, self.record)
        # Whoever was here before may have launched it and died; what is held waits for us.
        job.let_go = self._resumed and not job.held
        return job

    async def _act(self, act: Act) -> None:
        """Play it, or end what there is of it; tidying up is done whatever happened, if there was
        anything.
        """
        try:
            if not self._stopped or act.tidies:
                await self._play_act(act)
            else:
                await act.wind_up()
                if self._anything_ran():
                    await act.tidy(self._prepare)
        except Stopped as stop:
            await self._stop(stop)
            await act.wind_up()
        except BadAnswer as error:
            # The others are ended first; then whose answers cannot be is left unproven.
            await self._stop(Stopped(AttemptState.FAILED, error.message, Fault.HOST))
            await act.wind_up()

    async def _play_act(self, act: Act) -> None:
        """A cancel ends everything but tidying up, which is left out if nothing ran."""
        if act.tidies:
            if self._anything_ran():
                await act.launch(self._prepare)
                await act.play()
            return
        if not self.cancelled.is_set():
            await act.launch(self._prepare)
        if await unless(self.cancelled, self._played(act)) is None:
            raise Stopped(AttemptState.CANCELLED)

    async def _played(self, act: Act) -> bool:
        await act.play()
        return True

    @property
    def _stopped(self) -> dict[str, Any]:
        """Why the attempt does not go on; empty while it does."""
        stopped: dict[str, Any] = self.attempt.exit.get("stopped") or {}
        return stopped

    async def _stop(self, stop: Stopped) -> None:
        """Write down why, before anything is ended for it. The first reason is the reason."""
        if stop.unusable:
            self._unusable = HostUnusable(stop.host, stop.reason)
        if self._stopped:
            return
        told = {"state": stop.state.value, "reason": stop.reason, "fault": str(stop.fault)}
        stopped = told | {"host": stop.host}
        await self.record.note(exit=self.attempt.exit | {"stopped": stopped})
        crash_point("stopped")

    def _anything_ran(self) -> bool:
        """Whether any tool was started, so that there may be something to tidy up. What a host lost
        in a restart may have been started: nobody knows.
        """
        told = [job.status for job in self._jobs if job.status is not None]
        return any(status.state == "lost" or (status.exit or {}).get("started") for status in told)

    async def _prepare(self, job: SharedJob) -> None:
        """Once for each host, before its first job: what it is made of now."""
        if job.host in self._known:
            return
        facts = await facts_fresh(job.client, job.host)
        self._known.add(job.host)
        if job.host == self.attempt.case.host_id:
            await self.record.reach(AttemptState.PREFLIGHT)
            await self.record.note(facts=facts)
            crash_point("preflight-done")

    async def _bring_home(self) -> None:
        """Take every host's files home, publish what they say, and let the hosts forget."""
        there = [job for job in self._jobs if job.status and job.status.state != "absent"]
        if not there:
            await self._close()
            return
        await self.record.reach(AttemptState.COLLECTING)
        with ExitStack() as stack:
            spools = [stack.enter_context(Spool()) for _ in there]
            brought = await all_of(map(self._brought, there, spools))
            crash_point("collected")
            await self._store(brought, stack.enter_context(Spool()))
        crash_point("parsed")
        await self.record.publish()
        crash_point("closed")
        await self._clear(there)

    async def _store(self, brought: list[Brought], spool: Spool) -> None:
        """All hosts' files as those of the attempt. `spool` is for those that are joined."""
        known = {
            "exit": gathered_exit(brought, self.attempt.exit),
            "argv": argv_of(brought),
            "started_at": services.moment(min(moments(brought, "started"), default=None)),
            "ended_at": services.moment(max(moments(brought, "ended"), default=None)),
        }
        files = await asyncio.to_thread(gathered_files, brought, spool)
        self.record.attempt = await self.record.write(services.artifacts_store, files, known)

    async def _brought(self, job: SharedJob, spool: Spool) -> Brought:
        assert job.status is not None
        if job.status.state == "lost":
            await job.on_host.recover()
        if job.status.state != "done":
            return Brought(job.entry, job.status, {})
        return Brought(job.entry, job.status, await job.on_host.collect(job.status, spool))

    async def _close(self) -> None:
        """An end without a single job on any host."""
        stopped = self._stopped
        state = AttemptState(stopped["state"])
        await self.record.close(state, stopped["reason"] or NEVER_STARTED, stopped["fault"])

    async def _clear(self, jobs: list[SharedJob]) -> None:
        forgotten = await all_of(job.on_host.forget() for job in jobs)
        for job, gone in zip(jobs, forgotten, strict=True):
            job.entry["cleared"] = gone
        await self.record.write(services.jobs_cleared)
        crash_point("cleared")
