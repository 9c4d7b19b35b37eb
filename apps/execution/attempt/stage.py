"""One act of an attempt: its jobs made ready, where there are several released together, and ended.

Everything may be repeated by another worker: a job that its host does not know is launched, one
that is ready is released, one that runs is waited for, one that has ended is left as it is.
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
from apps.runs.models import STARTED_ATTEMPT, AttemptState, Fault

T = TypeVar("T")
log = logging.getLogger(__name__)

# Seconds a host that cannot be reached is tried before its cases are given up; nothing was started
# on it yet.
REACH_FOR = 45.0
# Errors that may pass by themselves.
PASSING = ("unreachable", "lost_contact", "timeout", "busy")
# Seconds a server has to end by itself when those that talked to it have.
SERVER_GRACE = 2.0
Prepare = Callable[[DrivenJob], Awaitable[None]]


class StageDriver:
    """The jobs that belong together. Methods raise Stopped when the attempt cannot go on."""

    def __init__(
        self, jobs: Sequence[DrivenJob], record: AttemptWriter, cancelled: asyncio.Event
    ) -> None:
        self.jobs = list(jobs)
        self._record = record
        self._cancelled = cancelled
        self._servers = [job for job in jobs if job.serves]
        self._clients = [job for job in jobs if not job.serves]

    @property
    def tidies(self) -> bool:
        """Whether it is played whatever happened before."""
        return all(job.tidies for job in self.jobs)

    async def launch(self, prepare: Prepare) -> None:
        """Every job is known to its host. `prepare` is called for each that is about to be
        launched. Nobody is interrupted in it: a launch under way could come true afterwards.
        """
        await gather_settled(self._launch(job, prepare) for job in self.jobs)
        crash_point("launched")
        await self._note_launched()

    async def play(self) -> None:
        """From the launched jobs to the last end."""
        if any(job.held for job in self.jobs):
            await Barrier(self._servers, self._clients, self._record).pass_through()
        await self._wait()
        crash_point("ended")

    async def wind_up(self) -> None:
        """End what is left of it: nothing of it runs any more, and its hosts have proved it."""
        await gather_settled(self._end(job) for job in self.jobs)

    async def tidy(self, prepare: Prepare) -> None:
        """The tidying up in jobs of it that will not be run any more."""
        left = [job for job in self.jobs if not job.launched and job.shorten()]
        if left:
            await self._record.keep("spec")
            rest = StageDriver(left, self._record, self._cancelled)
            await rest.launch(prepare)
            await rest.play()

    async def _launch(self, job: DrivenJob, prepare: Prepare) -> None:
        """The job is known to its host. Raises Stopped where that cannot be had."""
        deadline = asyncio.get_running_loop().time() + REACH_FOR
        while True:
            try:
                return await self._launch_once(job, prepare)
            except HostError as error:
                late = asyncio.get_running_loop().time() > deadline
                if self._is_final(job, error, late):
                    raise _unusable(job, error) from error
                await self._record.silent(job.id, error)

    def _is_final(self, job: DrivenJob, error: HostError, late: bool) -> bool:
        """Whether the host need not be asked again. Where the job may have been started only the
        host can tell, whatever it said so far; where nothing has, neither here nor anywhere, or
        others are waiting, it is given up after a while.
        """
        if job.may_have_started:
            return False
        started = self._record.attempt.state in STARTED_ATTEMPT
        return error.kind not in PASSING or (late and (job.held or not started))

    async def _launch_once(self, job: DrivenJob, prepare: Prepare) -> None:
        if job.is_new:
            await self._unless_cancelled(job, job.client.reach())
        else:
            job.status = await self._seen(job)
            if not job.is_absent:
                return
            if job.launched or job.status.forgotten:
                job.raise_unless_good(job.status)
        if self._cancelled.is_set() and not job.tidies:
            raise Stopped(AttemptState.CANCELLED, NEVER_STARTED)
        await prepare(job)
        await job.launch()

    async def _seen(self, job: DrivenJob) -> Status:
        """The job as its host knows it: for however long that takes where it may run there, until a
        cancel where it cannot.
        """
        if job.may_have_started:
            return await job.look()
        return await self._unless_cancelled(job, job.client.status(job.id))

    async def _unless_cancelled(self, job: DrivenJob, work: Coroutine[Any, Any, T]) -> T:
        """The work's result. Raises Stopped when a cancel came first."""
        if job.tidies:
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
        await self._record.reach(AttemptState.PREFLIGHT)
        await self._record.launched([job.row for job in self.jobs])

    async def _wait(self) -> None:
        """Until every client has ended, and then every server."""
        over = asyncio.Event()

        async def clients() -> None:
            await gather_or_cancel(self._until_good(job) for job in self._clients)
            over.set()

        await gather_or_cancel([clients(), *(self._serve(job, over) for job in self._servers)])

    async def _until_good(self, job: DrivenJob) -> None:
        job.raise_unless_good(await self._until_ended(job))

    async def _until_ended(self, job: DrivenJob) -> Status:
        run_id, attempt = self._record.lease.run_id, self._record.attempt
        watcher = LiveMetricsReader(self._record.live, run_id, attempt, job.row.name)
        await watcher.publish("state", {"state": "running"})
        status = job.status or await job.look()
        return await job.on_host.until_ended(status, watcher, asyncio.Event())

    async def _serve(self, job: DrivenJob, over: asyncio.Event) -> None:
        """A server that ends badly ends the act; else it is ended after its clients, which is its
        normal end.
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
        """Nothing of the job runs. Where nothing can have started and the host is out of reach, the
        job ends there by itself: nobody releases it.
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
    return Stopped(AttemptState.FAILED, reason, Fault.HOST, host=job.host, unusable=unusable)
