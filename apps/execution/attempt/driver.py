"""Drive one attempt from its rows in PostgreSQL to its result.

The stages of an attempt run one after another, each on all its hosts at once.

Every step is idempotent: a worker that dies leaves rows (`Attempt`, `AttemptJob`) and the hosts'
job folders, and the next worker queries every host and continues from there. No other state is
needed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack
from itertools import groupby
from typing import Any

from apps.blobs.services.spool import SpoolFile
from apps.execution.attempt.background_stage import BackgroundStage
from apps.execution.attempt.carried_settings import earlier_restored, is_carried_over
from apps.execution.attempt.collect import CollectedJob, collected_job, end_fields, gathered_files
from apps.execution.attempt.driven_job import DrivenJob, Stopped
from apps.execution.attempt.errors import HostUnusable
from apps.execution.attempt.host_facts import first_host_facts
from apps.execution.attempt.live_publisher import LivePublisher
from apps.execution.attempt.settings_stage import SettingsStage
from apps.execution.attempt.shared import Shared
from apps.execution.attempt.stage import StageDriver
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.domain.lease import RunLease
from apps.execution.domain.messages import NEVER_STARTED
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.runtime.crash import crash_point
from apps.execution.runtime.database import run_until_available
from apps.execution.runtime.hosts import HostClients
from apps.execution.runtime.tasks import cancel_and_wait, gather_or_cancel, run_unless
from apps.execution.services.artifacts import artifacts_store
from apps.execution.services.attempt_jobs import jobs_cleared
from apps.execution.services.attempts import attempt_stopped
from apps.execution.services.attempts_create import OpenedAttempt
from apps.execution.services.preflight import refusal_reason
from apps.inventory.models import HostFacts
from apps.remote.client import Client
from apps.remote.errors import HostError, InvalidResponse
from apps.runs.models import STARTED_ATTEMPT, Attempt, AttemptJob, AttemptState, FailureCause
from apps.runs.models.jobs import BACKGROUND, SETTINGS
from apps.runs.schemas import EarlyEnd
from apps.tools.messages import as_message


class AttemptDriver:
    """Drives one attempt. `cancelled` is set when the run is cancelled."""

    def __init__(
        self,
        opened: OpenedAttempt,
        lease: RunLease,
        host_clients: HostClients,
        live: LivePublisher,
        shared: Shared,
    ) -> None:
        self.writer = AttemptWriter(opened.attempt, lease, live, shared)
        self.cancelled = asyncio.Event()
        self._jobs: list[DrivenJob] = []
        self._unusable: HostUnusable | None = None
        self._known: set[int] = set()
        self._opened, self._shared, self._host_clients = opened, shared, host_clients
        self._settings = SettingsStage([], self.writer, self.cancelled)
        self._background = BackgroundStage([], self.writer, self.cancelled)
        self._resumed = not opened.is_new  # an earlier worker may have launched jobs

    @property
    def attempt(self) -> Attempt:
        return self.writer.attempt

    async def drive(self) -> None:
        """Continue the attempt from its stored state until it has ended.

        Raises:
            HostUnusable: a host could not be used before any job started.
            LeaseLost: another worker acquired the run, or the run has ended.
            AttemptOver: the attempt was ended meanwhile.
        """
        if self.attempt.is_final:
            return
        if self.attempt.state == AttemptState.PARSING:
            await self.writer.publish()
            return
        try:
            await self._run_stages()
        except Stopped as stop:  # before any job existed
            await self._stop(stop)
            await self._close()
        if self._unusable is not None:
            raise self._unusable

    async def _run_stages(self) -> None:
        if self.cancelled.is_set() and not self._resumed:
            raise Stopped(AttemptState.CANCELLED, NEVER_STARTED)
        await earlier_restored(self._host_clients, self.attempt, self.cancelled, self._resumed)
        self._jobs = [await self._job(row) for row in self.writer.jobs]
        writer, cancelled = self.writer, self.cancelled
        settings = [job for job in self._jobs if job.row.role == SETTINGS]
        loads = [job for job in self._jobs if job.row.role == BACKGROUND]
        self._settings = SettingsStage(settings, writer, cancelled)
        self._background = BackgroundStage(loads, writer, cancelled)
        try:
            for spanning in (self._settings, self._background):
                if spanning.jobs and not self.attempt.early_end:
                    await self._stage(spanning)
            for _, jobs in groupby(self._measuring(), lambda job: job.row.stage):
                await self._stage(StageDriver(list(jobs), writer, cancelled, spanning=loads))
            await self._end_spanning()
        finally:
            await self._background.close()
            await self._settings.close()
        await self._collect()

    def _measuring(self) -> list[DrivenJob]:
        return [job for job in self._jobs if not job.row.spans_stages]

    async def _end_spanning(self) -> None:
        """End the background load, then restore or carry the settings."""
        await self._confirmed(self._background.terminate())
        shared = bool(self._settings.jobs) and not self.cancelled.is_set()
        carry = shared and await is_carried_over(self.attempt)
        await self._confirmed(self._settings.terminate(carry=carry))

    async def _confirmed(self, end: Coroutine[Any, Any, None]) -> None:
        try:
            await end
        except InvalidResponse as error:
            await self._stop(Stopped(AttemptState.FAILED, error.message, FailureCause.HOST))

    async def _job(self, row: AttemptJob) -> DrivenJob:
        try:
            client = await self._client(row.host_id)
        except HostError as error:
            state, host = AttemptState.FAILED, row.host_id
            raise Stopped(
                state, error.message, FailureCause.HOST, host=host, unusable=True
            ) from error
        job = DrivenJob(row, client, self.writer, is_new=self._opened.is_new)
        # An earlier worker may have launched it and died; a held job waits for its release.
        job.let_go = self._resumed and not job.held
        return job

    async def _client(self, host_id: int) -> Client:
        if self._resumed:
            return await self._host_clients.client(host_id, started=True)
        connection = self._opened.connections[host_id]
        if isinstance(connection, HostError):
            raise connection
        return self._host_clients.client_with(host_id, connection)

    async def _stage(self, stage: StageDriver) -> None:
        """Run a stage, or terminate its jobs; cleanup runs always, if any tool was started."""
        try:
            if not self.attempt.early_end or stage.is_cleanup:
                await self._run_stage(stage)
            else:
                await stage.terminate()
                if self._anything_ran():
                    await stage.cleanup(self._prepare)
        except Stopped as stop:
            await self._stop(stop)
            await stage.terminate()
        except InvalidResponse as error:
            # The other jobs are ended first; the one with invalid answers stays unconfirmed.
            await self._stop(Stopped(AttemptState.FAILED, error.message, FailureCause.HOST))
            await stage.terminate()

    async def _run_stage(self, stage: StageDriver) -> None:
        """Run a stage until a cancellation; cleanup is skipped if no tool was started."""
        if stage.is_cleanup:
            if self._anything_ran():
                await stage.launch(self._prepare)
                await stage.run()
            return
        if not self.cancelled.is_set():
            await stage.launch(self._prepare)
        if await run_unless(self.cancelled, self._has_run(stage)) is None:
            raise Stopped(AttemptState.CANCELLED)

    async def _has_run(self, stage: StageDriver) -> bool:
        await self._settings.during(self._background.during(stage.run()))
        return True

    async def _stop(self, stop: Stopped) -> None:
        """Store the first reason to stop, before any job is ended for it."""
        if stop.unusable:
            self._unusable = HostUnusable(stop.host, stop.reason)
        if self.attempt.early_end:
            return
        why = EarlyEnd(
            stop.state.value,
            as_message(stop.reason),
            str(stop.failure_cause),
            stop.host,
            of_load=stop.of_load,
        )
        await self.writer.write(attempt_stopped, why)
        crash_point("stopped")

    def _anything_ran(self) -> bool:
        """Return True if a tool may have been started, so that cleanup is needed.

        A lost job may have been started before its host restarted.
        """
        known = [job.status for job in self._measuring() if job.status is not None]
        return any(status.state == "lost" or (status.exit or {}).get("started") for status in known)

    async def _prepare(self, job: DrivenJob) -> None:
        """Check once per host that the attempt may run, before its first job.

        The state is stored before the launch, so that the next worker queries the host.
        """
        if job.host in self._known:
            return
        may_refuse = self.attempt.state not in STARTED_ATTEMPT and not job.is_cleanup
        if may_refuse and (refusal := await self._refusal(job)):
            raise Stopped(AttemptState.FAILED, refusal, FailureCause.PLAN)
        self._known.add(job.host)
        await self.writer.reach(AttemptState.PREFLIGHT)
        if job.host == self.writer.jobs[0].host_id:
            crash_point("preflight-done")

    async def _refusal(self, job: DrivenJob) -> str:
        """Return why the attempt may not run; a new attempt was checked when it was stored."""
        if job.is_new:
            return self._opened.refusal
        return await run_until_available(refusal_reason, self.attempt)

    async def _collect(self) -> None:
        """Collect every host's files, publish the results, and delete the jobs on the hosts."""
        there = [job for job in self._jobs if job.status is not None and not job.is_absent]
        if not there:
            await self._close()
            return
        reading = asyncio.create_task(first_host_facts(there, self.writer, self._shared))
        try:
            await self.writer.reach(AttemptState.COLLECTING)
            with ExitStack() as stack:
                spools = [stack.enter_context(SpoolFile()) for _ in there]
                collected = await gather_or_cancel(map(collected_job, there, spools))
                crash_point("collected")
                facts = await reading
                await self._store(collected, stack.enter_context(SpoolFile()), facts)
        finally:
            await cancel_and_wait([reading])
        crash_point("parsed")
        # All files are stored, so the hosts delete the jobs while the files are parsed.
        deleting = asyncio.create_task(self._delete_jobs())
        try:
            await self.writer.publish()
            crash_point("closed")
            await self._clear(await deleting)
        finally:
            await cancel_and_wait([deleting])

    async def _store(
        self, collected: list[CollectedJob], spool: SpoolFile, facts: HostFacts | None
    ) -> None:
        """Store all hosts' files as those of the attempt; `spool` holds concatenated ones."""
        fields = end_fields(self._jobs, collected, facts)
        for job in self._jobs:
            job.note_end()
        files = await asyncio.to_thread(gathered_files, collected, spool)
        self.writer.attempt = await self.writer.write(artifacts_store, files, fields)

    async def _close(self) -> None:
        """End the attempt without a job on any host."""
        for job in self._jobs:
            job.note_end()
        stopped = self.attempt.early_end
        state = AttemptState(stopped.state)
        why = AttemptOutcome(state, stopped.reason or NEVER_STARTED, stopped.failure_cause)
        touched = self._resumed or any(job.is_launch_sent for job in self._jobs)
        await self.writer.close(why, touched=touched)
        crash_point("closed")
        await self._clear(await self._delete_jobs())

    async def _delete_jobs(self) -> list[bool]:
        """Delete the jobs on their hosts; return for each job if it is deleted."""
        return await gather_or_cancel(job.delete(resumed=self._resumed) for job in self._jobs)

    async def _clear(self, cleared: Sequence[bool]) -> None:
        """Store which jobs are deleted on their hosts."""
        if not (self._jobs or self._resumed):
            for row in self.writer.jobs:
                row.removed_from_host = True
        for job, gone in zip(self._jobs, cleared, strict=True):
            job.row.removed_from_host = gone
        await self.writer.write(jobs_cleared)
        crash_point("cleared")
