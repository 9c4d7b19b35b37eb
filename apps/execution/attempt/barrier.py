"""The moment at which several hosts start together.

Every job waits on its host in phase "ready". When all do, each host's monotonic clock is compared
with the worker's, and every host is told the same moment in its own clock's terms, far enough ahead
that all have heard of it by then. Servers start first, and must listen before anybody talks to
them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from apps.execution.attempt.clocks import Clock, ahead, clock_of
from apps.execution.attempt.driven_job import RELEASED, DrivenJob, Stopped
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.runtime.crash import crash_point
from apps.execution.runtime.tasks import gather_or_cancel
from apps.remote.errors import HostError
from apps.remote.status import Status
from apps.runs.models import AttemptState, Fault
from apps.tools.messages import message

LOOK_EVERY = 0.08
LISTEN_SECONDS = 10.0


class Barrier:
    """One act's. Safe to pass again: who is already on the way is only waited for."""

    def __init__(
        self,
        servers: Sequence[DrivenJob],
        clients: Sequence[DrivenJob],
        record: AttemptWriter,
    ) -> None:
        self._record = record
        self._servers, self._clients = servers, clients

    async def pass_through(self) -> None:
        """Returns when every job was released. Raises Stopped."""
        jobs = [*self._servers, *self._clients]
        await gather_or_cancel(self._until_ready(job) for job in jobs)
        if all(_is_past(job.status) for job in jobs):
            return
        await self._record.heard("", "ready")
        crash_point("all-ready")
        clocks = await self._clocks(jobs)
        now = time.monotonic()
        await gather_or_cancel(self._release(job, now, clocks[job.host]) for job in self._servers)
        await gather_or_cancel(self._until_listening(job) for job in self._servers if job.ports)
        if self._servers:
            crash_point("listening")
            clocks = await self._clocks(jobs)
        moment = time.monotonic() + ahead(list(clocks.values()))
        await gather_or_cancel(
            self._release(job, moment, clocks[job.host]) for job in self._clients
        )
        crash_point("released")

    async def _until_ready(self, job: DrivenJob) -> None:
        while True:
            status = await job.look()
            job.raise_unless_good(status)
            if _is_past(status) or status.phase == "ready":
                return
            await asyncio.sleep(LOOK_EVERY)

    async def _clocks(self, jobs: Sequence[DrivenJob]) -> dict[int, Clock]:
        """Every host's clock, by one worker and at one time, stored before anybody starts by it."""
        measured = await gather_or_cancel(self._clock(job) for job in jobs)
        clocks = {job.host: clock for job, clock in zip(jobs, measured, strict=True)}
        for job, clock in zip(jobs, measured, strict=True):
            job.row.clock_offset, job.row.clock_uncertainty = clock.offset, clock.uncertainty
        await self._record.keep("clock_offset", "clock_uncertainty")
        return clocks

    async def _clock(self, job: DrivenJob) -> Clock:
        while True:
            try:
                return await clock_of(job.client)
            except HostError as error:
                job.raise_unless_good(await self._after(job, error))

    async def _release(self, job: DrivenJob, moment: float, clock: Clock) -> None:
        """Tell the host, until it has heard it or the job is no longer waiting."""
        job.let_go = True
        while not _is_past(job.status):
            try:
                await job.client.release(job.id, at=moment + clock.offset)
                return
            except HostError as error:
                job.raise_unless_good(await self._after(job, error))
                if error.kind == "agent" and not _is_past(job.status):
                    raise Stopped(
                        AttemptState.FAILED, error.message, Fault.HOST, host=job.host
                    ) from error

    async def _after(self, job: DrivenJob, error: HostError) -> Status:
        """The job as it is after its host did not answer, or said no."""
        if error.kind != "agent":
            await self._record.silent(job.id, error)
        return await job.look()

    async def _until_listening(self, job: DrivenJob) -> None:
        deadline = asyncio.get_running_loop().time() + LISTEN_SECONDS
        while not (status := await job.look()).listening:
            job.raise_unless_good(status)
            if status.ended:
                return
            if asyncio.get_running_loop().time() > deadline:
                raise Stopped(
                    AttemptState.FAILED,
                    message(
                        "nothing listens on %(ports)s of %(host)s after %(seconds)d s",
                        ports=_words(job.ports),
                        host=job.host_name,
                        seconds=round(LISTEN_SECONDS),
                    ),
                    Fault.HOST,
                    host=job.host,
                )
            await asyncio.sleep(LOOK_EVERY)


def _is_past(status: Status | None) -> bool:
    """Whether the job was released, by this worker or the one before."""
    return status is not None and (status.ended or status.phase in RELEASED)


def _words(ports: Sequence[str]) -> str:
    """ "tcp:5201" as people say it."""
    said = [f"{kind.upper()} port {port}" for kind, _, port in (p.partition(":") for p in ports)]
    return " and ".join(said)
