"""Driving one attempt from its rows in PostgreSQL to its result, over and over if need be: its acts
one after another, each on all its hosts at once. An attempt on one host has one act of one job.

Every step may be repeated: a worker that dies anywhere leaves rows (`Attempt`, `AttemptJob`) and
the hosts' job folders, and the next one asks every host and goes on from what those say. Nothing
here remembers anything that is not also there.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from itertools import groupby
from typing import Any

from apps.execution import services
from apps.execution.attempt.act import Act
from apps.execution.attempt.driven_job import DrivenJob, Stopped
from apps.execution.attempt.gather import Brought, gathered_files, moments
from apps.execution.attempt.live import Live
from apps.execution.attempt.record import Record
from apps.execution.attempt.rights import refusal_now
from apps.execution.engine.crash import crash_point
from apps.execution.engine.database import patiently
from apps.execution.engine.hold import Hold
from apps.execution.engine.hosts import HostBook, facts_fresh
from apps.execution.engine.side_by_side import all_of, unless
from apps.execution.judgement.sentences import NEVER_STARTED
from apps.remote.errors import BadAnswer, HostError
from apps.runs.contract import EarlyEnd
from apps.runs.models import (
    STARTED_ATTEMPT,
    Attempt,
    AttemptJob,
    AttemptState,
    Fault,
    JobState,
)
from apps.runs.storage.packing import Spool


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
        self._jobs: list[DrivenJob] = []
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
        if self.cancelled.is_set() and not self._resumed:
            raise Stopped(AttemptState.CANCELLED, NEVER_STARTED)
        self._jobs = [await self._job(row) for row in self.record.jobs]
        for _, jobs in groupby(self._jobs, lambda job: job.row.act):
            await self._act(Act(list(jobs), self.record, self.cancelled))
        await self._bring_home()

    async def _job(self, row: AttemptJob) -> DrivenJob:
        try:
            client = await self._book.client(row.host_id, started=self._resumed)
        except HostError as error:
            state, host = AttemptState.FAILED, row.host_id
            raise Stopped(state, error.message, Fault.HOST, host=host, unusable=True) from error
        job = DrivenJob(row, client, self.record)
        # Whoever was here before may have launched it and died; what is held waits for us.
        job.let_go = self._resumed and not job.held
        return job

    async def _act(self, act: Act) -> None:
        """Play it, or end what there is of it; tidying up is done whatever happened, if there was
        anything.
        """
        try:
            if not self.attempt.stopped or act.tidies:
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

    async def _stop(self, stop: Stopped) -> None:
        """Write down why, before anything is ended for it. The first reason is the reason."""
        if stop.unusable:
            self._unusable = HostUnusable(stop.host, stop.reason)
        if self.attempt.stopped:
            return
        why = EarlyEnd(stop.state.value, stop.reason, str(stop.fault), stop.host)
        await self.record.write(services.attempt_stopped, why)
        crash_point("stopped")

    def _anything_ran(self) -> bool:
        """Whether any tool was started, so that there may be something to tidy up. What a host lost
        in a restart may have been started: nobody knows.
        """
        told = [job.status for job in self._jobs if job.status is not None]
        return any(status.state == "lost" or (status.exit or {}).get("started") for status in told)

    async def _prepare(self, job: DrivenJob) -> None:
        """Once for each host, before its first job: whether it may be, and what the host is made of
        now. From here on a host may know a job, which the next worker must look for.
        """
        if job.host in self._known:
            return
        may_refuse = self.attempt.state not in STARTED_ATTEMPT and not job.tidies
        if may_refuse and (refusal := await patiently(refusal_now, self.attempt)):
            raise Stopped(AttemptState.FAILED, refusal, Fault.PLAN)
        facts = await facts_fresh(job.client, job.host)
        self._known.add(job.host)
        known = {"facts": facts} if job.host == self.record.jobs[0].host_id else {}
        await self.record.reach(AttemptState.PREFLIGHT, **known)
        if known:
            crash_point("preflight-done")

    async def _bring_home(self) -> None:
        """Take every host's files home, publish what they say, and let the hosts forget."""
        there = [job for job in self._jobs if job.status is not None and not job.is_absent]
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
        await self._clear()

    async def _brought(self, job: DrivenJob, spool: Spool) -> Brought:
        assert job.status is not None
        job.note_end()
        if job.row.state == JobState.LOST:
            await job.on_host.recover()
        if job.row.state != JobState.DONE:
            return Brought(job.row, {})
        return Brought(job.row, await job.on_host.collect(job.status, spool))

    async def _store(self, brought: list[Brought], spool: Spool) -> None:
        """All hosts' files as those of the attempt. `spool` is for those that are joined."""
        told: list[Any] = [job.status.argv or [] for job in self._jobs if job.status]
        known = {
            "argv": [words for argv in told for words in argv],
            "started_at": services.moment(min(moments(brought, "started"), default=None)),
            "ended_at": services.moment(max(moments(brought, "ended"), default=None)),
        }
        for job in self._jobs:
            job.note_end()
        files = await asyncio.to_thread(gathered_files, brought, spool)
        self.record.attempt = await self.record.write(services.artifacts_store, files, known)

    async def _close(self) -> None:
        """An end without a single job on any host."""
        for job in self._jobs:
            job.note_end()
        stopped = self.attempt.stopped
        state = AttemptState(stopped.state)
        await self.record.close(state, stopped.reason or NEVER_STARTED, stopped.fault)
        crash_point("closed")
        await self._clear()

    async def _clear(self) -> None:
        """Let the hosts forget their jobs, and note which have."""
        if not (self._jobs or self._resumed):
            for row in self.record.jobs:
                row.cleared = True
        cleared = await all_of(self._cleared(job) for job in self._jobs)
        for job, gone in zip(self._jobs, cleared, strict=True):
            job.row.cleared = gone
        await self.record.write(services.jobs_cleared)
        crash_point("cleared")

    async def _cleared(self, job: DrivenJob) -> bool:
        """Whether the host knows nothing of the job any more, or never has. Of one that it does not
        know yet a launch may be on its way: the sweep asks for it once more.
        """
        if job.has_ended:
            return await job.on_host.forget()
        forgotten = job.status is not None and job.status.forgotten
        return forgotten or not (self._resumed or job.asked)
