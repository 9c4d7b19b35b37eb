"""Driving one attempt from its rows in PostgreSQL to its result, over and over if need be: its acts
one after another, each on all its hosts at once. An attempt on one host has one act of one job.

Every step may be repeated: a worker that dies anywhere leaves rows (`Attempt`, `AttemptJob`) and
the hosts' job folders, and the next one asks every host and goes on from what those say. Nothing
here remembers anything that is not also there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import groupby
from typing import Any

from apps.blobs.services.spool import Spool
from apps.execution.attempt.collect import CollectedJob, gathered_files, moments
from apps.execution.attempt.driven_job import DrivenJob, Stopped
from apps.execution.attempt.live_publisher import LivePublisher
from apps.execution.attempt.shared import Shared
from apps.execution.attempt.stage import StageDriver
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.domain.lease import RunLease
from apps.execution.domain.messages import NEVER_STARTED
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.runtime.crash import crash_point
from apps.execution.runtime.database import run_until_available
from apps.execution.runtime.hosts import HostClients, facts_fresh
from apps.execution.runtime.tasks import cancel_and_wait, gather_or_cancel, run_unless
from apps.execution.services.artifacts import EndFields, artifacts_store, utc_time
from apps.execution.services.attempt_jobs import jobs_cleared
from apps.execution.services.attempts import attempt_stopped
from apps.execution.services.attempts_create import OpenedAttempt
from apps.execution.services.preflight import refusal_reason
from apps.inventory.models import HostFacts
from apps.remote.client import Client
from apps.remote.errors import BadAnswer, HostError
from apps.runs.models import (
    STARTED_ATTEMPT,
    Attempt,
    AttemptJob,
    AttemptState,
    Fault,
    JobState,
)
from apps.runs.schemas import EarlyEnd
from apps.tools.messages import as_message


class HostUnusable(Exception):
    """Before anything was started a host turned out not to be usable; its other cases need not
    try.
    """

    def __init__(self, host_id: int, message: str) -> None:
        super().__init__(message)
        self.host_id = host_id


class AttemptDriver:
    """One attempt in the hands of one worker. `cancelled` is set when somebody asked for the run's
    end.
    """

    def __init__(
        self,
        opened: OpenedAttempt,
        lease: RunLease,
        host_clients: HostClients,
        live: LivePublisher,
        shared: Shared,
    ) -> None:
        self.record = AttemptWriter(opened.attempt, lease, live, shared)
        self.cancelled = asyncio.Event()
        self._host_clients = host_clients
        self._jobs: list[DrivenJob] = []
        self._unusable: HostUnusable | None = None
        self._known: set[int] = set()
        self._opened, self._shared = opened, shared
        # Whether a worker before this one may have launched something.
        self._resumed = not opened.is_new

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
            await self._act(StageDriver(list(jobs), self.record, self.cancelled))
        await self._bring_home()

    async def _job(self, row: AttemptJob) -> DrivenJob:
        try:
            client = await self._client(row.host_id)
        except HostError as error:
            state, host = AttemptState.FAILED, row.host_id
            raise Stopped(state, error.message, Fault.HOST, host=host, unusable=True) from error
        job = DrivenJob(row, client, self.record, is_new=self._opened.is_new)
        # Whoever was here before may have launched it and died; what is held waits for us.
        job.let_go = self._resumed and not job.held
        return job

    async def _client(self, host_id: int) -> Client:
        if self._resumed:
            return await self._host_clients.client(host_id, started=True)
        way = self._opened.ways[host_id]
        if isinstance(way, HostError):
            raise way
        return self._host_clients.by(host_id, way)

    async def _act(self, act: StageDriver) -> None:
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

    async def _play_act(self, act: StageDriver) -> None:
        """A cancel ends everything but tidying up, which is left out if nothing ran."""
        if act.tidies:
            if self._anything_ran():
                await act.launch(self._prepare)
                await act.play()
            return
        if not self.cancelled.is_set():
            await act.launch(self._prepare)
        if await run_unless(self.cancelled, self._played(act)) is None:
            raise Stopped(AttemptState.CANCELLED)

    async def _played(self, act: StageDriver) -> bool:
        await act.play()
        return True

    async def _stop(self, stop: Stopped) -> None:
        """Write down why, before anything is ended for it. The first reason is the reason."""
        if stop.unusable:
            self._unusable = HostUnusable(stop.host, stop.reason)
        if self.attempt.stopped:
            return
        why = EarlyEnd(stop.state.value, as_message(stop.reason), str(stop.fault), stop.host)
        await self.record.write(attempt_stopped, why)
        crash_point("stopped")

    def _anything_ran(self) -> bool:
        """Whether any tool was started, so that there may be something to tidy up. What a host lost
        in a restart may have been started: nobody knows.
        """
        told = [job.status for job in self._jobs if job.status is not None]
        return any(status.state == "lost" or (status.exit or {}).get("started") for status in told)

    async def _prepare(self, job: DrivenJob) -> None:
        """Once for each host, before its first job: whether it may be. From here on a host may know
        a job, which the next worker must look for.
        """
        if job.host in self._known:
            return
        may_refuse = self.attempt.state not in STARTED_ATTEMPT and not job.tidies
        if may_refuse and (refusal := await self._refusal(job)):
            raise Stopped(AttemptState.FAILED, refusal, Fault.PLAN)
        self._known.add(job.host)
        await self.record.reach(AttemptState.PREFLIGHT)
        if job.host == self.record.jobs[0].host_id:
            crash_point("preflight-done")

    async def _refusal(self, job: DrivenJob) -> str:
        """Why it may not be; of a new attempt as it was when that was stored, a moment ago."""
        if job.is_new:
            return self._opened.refusal
        return await run_until_available(refusal_reason, self.attempt)

    async def _bring_home(self) -> None:
        """Take every host's files home, publish what they say, and let the hosts forget."""
        there = [job for job in self._jobs if job.status is not None and not job.is_absent]
        if not there:
            await self._close()
            return
        telling = asyncio.create_task(self._facts(there))
        try:
            await self.record.reach(AttemptState.COLLECTING)
            with ExitStack() as stack:
                spools = [stack.enter_context(Spool()) for _ in there]
                brought = await gather_or_cancel(map(self._brought, there, spools))
                crash_point("collected")
                facts = await telling
                await self._store(brought, stack.enter_context(Spool()), facts)
        finally:
            await cancel_and_wait([telling])
        crash_point("parsed")
        # Everything of it is here: while it is read its hosts forget it.
        forgetting = asyncio.create_task(self._forgotten())
        try:
            await self.record.publish()
            crash_point("closed")
            await self._clear(await forgetting)
        finally:
            await cancel_and_wait([forgetting])

    async def _facts(self, jobs: Sequence[DrivenJob]) -> HostFacts | None:
        """Facts of the first host. Each host is asked once in a run, when its first tool has ended,
        so that neither the start waits for it nor a measurement is disturbed.
        """
        new = {job.host: job for job in jobs if job.host not in self._shared.facts}
        await gather_or_cancel(self._ask_facts(job) for job in new.values())
        return self._shared.facts.get(self.record.jobs[0].host_id)

    async def _ask_facts(self, job: DrivenJob) -> None:
        while True:
            try:
                self._shared.facts[job.host] = await facts_fresh(job.client, job.host)
                return
            except HostError as error:
                if error.kind == "agent":
                    raise
                await self.record.silent(job.id, error)

    async def _brought(self, job: DrivenJob, spool: Spool) -> CollectedJob:
        assert job.status is not None
        job.note_end()
        if job.row.state == JobState.LOST:
            await job.on_host.recover()
            if job.status.loan:
                await job.look()  # what became of it
        if job.row.state != JobState.DONE:
            return CollectedJob(job.row, {})
        return CollectedJob(job.row, await job.on_host.collect(job.status, spool))

    async def _store(
        self, brought: list[CollectedJob], spool: Spool, facts: HostFacts | None
    ) -> None:
        """All hosts' files as those of the attempt. `spool` is for those that are joined."""
        told: list[Any] = [job.status.argv or [] for job in self._jobs if job.status]
        known: EndFields = {
            "argv": [words for argv in told for words in argv],
            "started_at": utc_time(min(moments(brought, "started"), default=None)),
            "ended_at": utc_time(max(moments(brought, "ended"), default=None)),
        }
        if facts is not None:
            known["facts"] = facts
        for job in self._jobs:
            job.note_end()
        files = await asyncio.to_thread(gathered_files, brought, spool)
        self.record.attempt = await self.record.write(artifacts_store, files, known)

    async def _close(self) -> None:
        """An end without a single job on any host."""
        for job in self._jobs:
            job.note_end()
        stopped = self.attempt.stopped
        state = AttemptState(stopped.state)
        why = AttemptOutcome(state, stopped.reason or NEVER_STARTED, stopped.fault)
        touched = self._resumed or any(job.asked for job in self._jobs)
        await self.record.close(why, touched=touched)
        crash_point("closed")
        await self._clear(await self._forgotten())

    async def _forgotten(self) -> list[bool]:
        """Let the hosts forget their jobs; which have."""
        return await gather_or_cancel(self._cleared(job) for job in self._jobs)

    async def _clear(self, cleared: Sequence[bool]) -> None:
        """Note which jobs their hosts have forgotten."""
        if not (self._jobs or self._resumed):
            for row in self.record.jobs:
                row.cleared = True
        for job, gone in zip(self._jobs, cleared, strict=True):
            job.row.cleared = gone
        await self.record.write(jobs_cleared)
        crash_point("cleared")

    async def _cleared(self, job: DrivenJob) -> bool:
        """Whether the host knows nothing of the job any more, or never has. Of one that it does not
        know yet a launch may be on its way: the sweep asks for it once more.
        """
        if job.has_ended:
            return await job.on_host.forget()
        forgotten = job.status is not None and job.status.forgotten
        return forgotten or not (self._resumed or job.asked)
