"""One act of an attempt on several hosts: its jobs made ready, released together, and ended.

Everything may be repeated by another worker: a job that its host does not know is launched, one
that is ready is released, one that runs is waited for, one that has ended is left as it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from apps.execution.attempt import PASSING, REACH_FOR, STARTED
from apps.execution.barrier import Barrier
from apps.execution.crash import crash_point
from apps.execution.record import Record
from apps.execution.shared_job import SharedJob, Stopped
from apps.execution.side_by_side import all_of, all_settled, unless
from apps.execution.watch import Watcher
from apps.remote.answers import Status
from apps.remote.errors import HostError
from apps.runs.models import AttemptState, Fault

log = logging.getLogger(__name__)

# Seconds a server has to end by itself when those that talked to it have.
SERVER_GRACE = 2.0
Prepare = Callable[[SharedJob], Awaitable[None]]


class Act:
    """The jobs that belong together. Methods raise Stopped when the attempt cannot go on."""

    def __init__(self, jobs: Sequence[SharedJob], record: Record) -> None:
        self.jobs = list(jobs)
        self.number = int(jobs[0].entry["act"])
        self._record = record
        self._servers = [job for job in jobs if job.ports]
        self._clients = [job for job in jobs if not job.ports]

    @property
    def tidies(self) -> bool:
        """Whether it is played whatever happened before."""
        return all(job.tidies for job in self.jobs)

    async def launch(self, prepare: Prepare) -> None:
        """Every job is known to its host. `prepare` is called for each that is about to be
        launched. Nobody is interrupted in it: a launch under way could come true afterwards.
        """
        await all_settled(self._launch(job, prepare) for job in self.jobs)
        crash_point("launched")
        await self._note_launched()

    async def play(self) -> None:
        """From the launched jobs to the last end."""
        if any(job.held for job in self.jobs):
            await Barrier(self.number, self._servers, self._clients, self._record).pass_through()
        await self._wait()
        crash_point("ended")

    async def wind_up(self) -> None:
        """End what is left of it: nothing of it runs any more, and its hosts have proved it."""
        await all_settled(self._end(job) for job in self.jobs)

    async def tidy(self, prepare: Prepare) -> None:
        """The tidying up in jobs of it that will not be run any more."""
        left = [job for job in self.jobs if not job.launched and job.shorten()]
        if left:
            await self._record.note(jobs=self._record.attempt.jobs)
            rest = Act(left, self._record)
            await rest.launch(prepare)
            await rest.play()

    async def _launch(self, job: SharedJob, prepare: Prepare) -> None:
        """The job is known to its host. Raises Stopped where that cannot be had."""
        deadline = asyncio.get_running_loop().time() + REACH_FOR
        while True:
            try:
                return await self._launch_once(job, prepare)
            except HostError as error:
                late = asyncio.get_running_loop().time() > deadline
                if error.kind not in PASSING or (late and self._gives_up_on(job)):
                    raise _unusable(job, error) from error
                await self._record.silent(job.id, error)

    def _gives_up_on(self, job: SharedJob) -> bool:
        """Nothing has started there, and either nothing has anywhere or others are waiting."""
        started = self._record.attempt.state in STARTED
        return not job.may_have_started and (job.held or not started)

    async def _launch_once(self, job: SharedJob, prepare: Prepare) -> None:
        job.status = await job.client.status(job.id)
        if job.status.state != "absent":
            return
        if job.launched or job.status.forgotten:
            job.raise_unless_good(job.status)
        await prepare(job)
        job.let_go = not job.held
        await job.client.launch(job.spec)
        job.status = await job.client.status(job.id)

    async def _note_launched(self) -> None:
        if all(job.launched for job in self.jobs):
            return
        for job in self.jobs:
            job.entry["launched"] = True
        await self._record.reach(AttemptState.RUNNING)
        await self._record.note(jobs=self._record.attempt.jobs)

    async def _wait(self) -> None:
        """Until every client has ended, and then every server."""
        over = asyncio.Event()

        async def clients() -> None:
            await all_of(self._until_good(job) for job in self._clients)
            over.set()

        await all_of([clients(), *(self._serve(job, over) for job in self._servers)])

    async def _until_good(self, job: SharedJob) -> None:
        job.raise_unless_good(await self._until_ended(job))

    async def _until_ended(self, job: SharedJob) -> Status:
        run_id, attempt = self._record.hold.run_id, self._record.attempt
        watcher = Watcher(self._record.live, run_id, attempt, job.host_name)
        await watcher.publish("state", {"state": "running"})
        status = job.status or await job.look()
        return await job.on_host.until_ended(status, watcher, asyncio.Event())

    async def _serve(self, job: SharedJob, over: asyncio.Event) -> None:
        """A server that ends badly ends the act; else it is ended after its clients, which is its
        normal end.
        """
        if await unless(over, self._ends(job)):
            return
        try:
            async with asyncio.timeout(SERVER_GRACE):
                await self._ends(job)
        except TimeoutError:
            job.status = await job.on_host.end()

    async def _ends(self, job: SharedJob) -> bool:
        await self._until_good(job)
        return True

    async def _end(self, job: SharedJob) -> None:
        """Nothing of the job runs. Where nothing can have started and the host is out of reach, the
        job ends there by itself: nobody releases it.
        """
        if job.may_have_started:
            job.status = await job.on_host.end()
            return
        try:
            job.status = (await job.client.cancel(job.id)).status
        except HostError as error:
            log.info("job %s was never released and is left to end: %s", job.id, error)
            job.status = None


def _unusable(job: SharedJob, error: HostError) -> Stopped:
    reason, refused = f"{job.host_name}: {error.message}", error.kind == "agent"
    return Stopped(AttemptState.FAILED, reason, Fault.HOST, host=job.host, unusable=not refused)
