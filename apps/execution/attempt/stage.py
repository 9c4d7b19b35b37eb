"""Drive one stage of an attempt: launch its jobs, release several together, wait for their ends.

Another worker may repeat every step: it launches a job that its host does not know, releases a
ready one, waits for a running one, and leaves an ended one as it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from apps.execution.attempt.barrier import Barrier
from apps.execution.attempt.driven_job import DrivenJob, Stopped
from apps.execution.attempt.live_metrics import LiveMetricsReader
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.domain.messages import NEVER_STARTED
from apps.execution.runtime.crash import crash_point
from apps.execution.runtime.tasks import gather_or_cancel, gather_settled, run_unless
from apps.remote.errors import HostError
from apps.remote.status import Status
from apps.runs.models import STARTED_ATTEMPT, AttemptState, FailureCause

T = TypeVar("T")
log = logging.getLogger(__name__)

# Seconds until an unreachable host without started jobs fails its cases.
REACH_TIMEOUT_SECONDS = 45.0
# Kinds of transient errors.
TRANSIENT = ("unreachable", "lost_contact", "timeout", "busy")
# Seconds for a server to end by itself after its clients.
SERVER_GRACE = 2.0
Prepare = Callable[[DrivenJob], Awaitable[None]]


class StageDriver:
    """Drives the jobs of one stage. Methods raise Stopped if the attempt cannot continue."""

    def __init__(
        self,
        jobs: Sequence[DrivenJob],
        writer: AttemptWriter,
        cancelled: asyncio.Event,
        *,
        spanning: Sequence[DrivenJob] = (),
    ) -> None:
        """Take the jobs of the stage. The clocks of `spanning` jobs are compared too."""
        self.jobs, self._spanning = list(jobs), spanning
        self._writer = writer
        self._cancelled = cancelled
        self._servers = [job for job in jobs if job.serves]
        self._clients = [job for job in jobs if not job.serves]

    @property
    def is_cleanup(self) -> bool:
        """Return True if the stage only cleans up, so that it always runs."""
        return all(job.is_cleanup for job in self.jobs)

    async def launch(self, prepare: Prepare) -> None:
        """Launch every job of the stage.

        Calls `prepare(job)` before each launch. Not cancellable: an interrupted launch may still
        start the job on the host.
        """
        await gather_settled(self._launch(job, prepare) for job in self.jobs)
        crash_point("launched")
        await self._note_launched()

    async def run(self) -> None:
        """Release the launched jobs and wait until all have ended."""
        if any(job.held for job in self.jobs):
            barrier = Barrier(self._servers, self._clients, self._writer, self._spanning)
            await barrier.pass_through()
        await self._wait()
        crash_point("ended")

    async def terminate(self) -> None:
        """End all jobs; the hosts confirm that no process of them is left."""
        await gather_settled(self._end(job) for job in self.jobs)

    async def cleanup(self, prepare: Prepare) -> None:
        """Run the cleanup commands of jobs that will not be launched."""
        left = [job for job in self.jobs if not job.launched and job.shorten()]
        if left:
            await self._writer.store_jobs("spec")
            rest = StageDriver(left, self._writer, self._cancelled)
            await rest.launch(prepare)
            await rest.run()

    async def _launch(self, job: DrivenJob, prepare: Prepare) -> None:
        """Launch a job, again after transient errors.

        Raises:
            Stopped: the host is unusable, or the run was cancelled.
        """
        deadline = asyncio.get_running_loop().time() + REACH_TIMEOUT_SECONDS
        while True:
            try:
                return await self._launch_once(job, prepare)
            except HostError as error:
                late = asyncio.get_running_loop().time() > deadline
                if self._is_final(job, error, late):
                    raise _unusable(job, error) from error
                await self._writer.mark_unresponsive(job.id, error)

    def _is_final(self, job: DrivenJob, error: HostError, late: bool) -> bool:
        """Return True if the launch is not retried.

        A job that may have been started is queried without limit, as only its host knows its
        state. Otherwise the launch times out, if no job of the attempt has started or others wait.
        """
        if job.may_have_started:
            return False
        started = self._writer.attempt.state in STARTED_ATTEMPT
        return error.kind not in TRANSIENT or (late and (job.held or not started))

    async def _launch_once(self, job: DrivenJob, prepare: Prepare) -> None:
        if job.is_new:
            await self._unless_cancelled(job, job.client.connect())
        else:
            job.status = await self._seen(job)
            if not job.is_absent:
                return
            if job.launched or job.status.deleted:
                job.raise_unless_good(job.status)
        if self._cancelled.is_set() and not job.is_cleanup:
            raise Stopped(AttemptState.CANCELLED, NEVER_STARTED)
        await prepare(job)
        await job.launch()

    async def _seen(self, job: DrivenJob) -> Status:
        """Return the job's state: without limit if it may run, else until a cancellation."""
        if job.may_have_started:
            return await job.look()
        return await self._unless_cancelled(job, job.client.status(job.id))

    async def _unless_cancelled(self, job: DrivenJob, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of `work`.

        Raises:
            Stopped: the run was cancelled first.
        """
        if job.is_cleanup:
            return await work
        done: list[T] = []

        async def noted() -> bool:
            done.append(await work)
            return True

        if await run_unless(self._cancelled, noted()) is None:
            raise Stopped(AttemptState.CANCELLED, NEVER_STARTED)
        return done[0]

    async def _note_launched(self) -> None:
        if all(job.launched for job in self.jobs):
            return
        await self._writer.reach(AttemptState.PREFLIGHT)
        await self._writer.store_launched([job.row for job in self.jobs])

    async def _wait(self) -> None:
        """Wait until every client has ended, and then every server."""
        over = asyncio.Event()

        async def clients() -> None:
            await gather_or_cancel(self._until_good(job) for job in self._clients)
            over.set()

        await gather_or_cancel([clients(), *(self._serve(job, over) for job in self._servers)])

    async def _until_good(self, job: DrivenJob) -> None:
        job.raise_unless_good(await self._until_ended(job))

    async def _until_ended(self, job: DrivenJob) -> Status:
        run_id, attempt = self._writer.lease.run_id, self._writer.attempt
        watcher = LiveMetricsReader(self._writer.live, run_id, attempt, job.row.name)
        await watcher.publish("state", {"state": "running"})
        status = job.status or await job.look()
        return await job.on_host.until_ended(status, watcher, asyncio.Event())

    async def _serve(self, job: DrivenJob, over: asyncio.Event) -> None:
        """Wait for a server; end it after its clients, which is its normal end.

        Raises:
            Stopped: the server failed before its clients ended.
        """
        if await run_unless(over, self._ends(job)):
            return
        try:
            async with asyncio.timeout(SERVER_GRACE if job.ports else 0.0):
                await self._ends(job)
        except TimeoutError:
            job.status = await job.on_host.end()

    async def _ends(self, job: DrivenJob) -> bool:
        await self._until_good(job)
        return True

    async def _end(self, job: DrivenJob) -> None:
        """End a job.

        A held job on an unreachable host ends there by itself, as it is never released.
        """
        if job.has_ended or (job.is_absent and not job.may_have_started):
            return
        if job.may_have_started:
            job.status = await job.on_host.end()
            return
        try:
            job.status = await job.client.cancel(job.id)
        except HostError as error:
            log.info("job %s was never released and is left to end: %s", job.id, error)
            job.status = None


def _unusable(job: DrivenJob, error: HostError) -> Stopped:
    reason, unusable = job.named(error.message), error.kind != "agent"
    return Stopped(AttemptState.FAILED, reason, FailureCause.HOST, host=job.host, unusable=unusable)
