"""Start the jobs of several hosts at the same time.

Every job waits on its host in phase "ready". When all do, each host's monotonic clock is compared
with the worker's, and every host gets the same start time in its own clock, with a delay that all
receive it in time. Servers start first, and must listen before their clients start.
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
from apps.runs.models import AttemptState, FailureCause
from apps.tools.messages import message

POLL_SECONDS = 0.08
LISTEN_SECONDS = 10.0


class Barrier:
    """Releases the jobs of a stage. Idempotent: released jobs are only waited for."""

    def __init__(
        self,
        servers: Sequence[DrivenJob],
        clients: Sequence[DrivenJob],
        writer: AttemptWriter,
        spanning: Sequence[DrivenJob] = (),
    ) -> None:
        self._writer, self._spanning = writer, spanning
        self._servers, self._clients = servers, clients

    async def pass_through(self) -> None:
        """Release every job.

        Raises:
            Stopped: a job ended without a result, or a server does not listen.
        """
        jobs = [*self._servers, *self._clients]
        await gather_or_cancel(self._until_ready(job) for job in jobs)
        if all(_is_past(job.status) for job in jobs):
            return
        await self._writer.mark_responsive("", "ready")
        crash_point("all-ready")
        clocks = await self._clocks(jobs)
        now = time.monotonic()
        await gather_or_cancel(self._release(job, now, clocks[job.host]) for job in self._servers)
        await gather_or_cancel(self._until_listening(job) for job in self._servers if job.ports)
        if self._servers:
            crash_point("listening")
            clocks = await self._clocks(jobs)
        start = time.monotonic() + ahead(list(clocks.values()))
        await gather_or_cancel(self._release(job, start, clocks[job.host]) for job in self._clients)
        crash_point("released")

    async def _until_ready(self, job: DrivenJob) -> None:
        while True:
            status = await job.look()
            job.raise_unless_good(status)
            if _is_past(status) or status.phase == "ready":
                return
            await asyncio.sleep(POLL_SECONDS)

    async def _clocks(self, jobs: Sequence[DrivenJob]) -> dict[int, Clock]:
        """Measure every host's clock, and store it before any job is released.

        Of jobs that run beside the stage, too: their times are compared with those of the stage.
        """
        jobs = [*jobs, *self._spanning]
        measured = await gather_or_cancel(self._clock(job) for job in jobs)
        clocks = {job.host: clock for job, clock in zip(jobs, measured, strict=True)}
        for job, clock in zip(jobs, measured, strict=True):
            job.row.clock_offset, job.row.clock_uncertainty = clock.offset, clock.uncertainty
        await self._writer.store_jobs("clock_offset", "clock_uncertainty")
        return clocks

    async def _clock(self, job: DrivenJob) -> Clock:
        while True:
            try:
                return await clock_of(job.client)
            except HostError as error:
                job.raise_unless_good(await self._after(job, error))

    async def _release(self, job: DrivenJob, start: float, clock: Clock) -> None:
        """Release a job, until its host confirms it or the job no longer waits."""
        job.let_go = True
        while not _is_past(job.status):
            try:
                await job.client.start_held(job.id, start_at=start + clock.offset)
                return
            except HostError as error:
                job.raise_unless_good(await self._after(job, error))
                if error.kind == "agent" and not _is_past(job.status):
                    raise Stopped(
                        AttemptState.FAILED, error.message, FailureCause.HOST, host=job.host
                    ) from error

    async def _after(self, job: DrivenJob, error: HostError) -> Status:
        """Return the job's state after an error of its host."""
        if error.kind != "agent":
            await self._writer.mark_unresponsive(job.id, error)
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
                        ports=_ports_text(job.ports),
                        host=job.host_name,
                        seconds=round(LISTEN_SECONDS),
                    ),
                    FailureCause.HOST,
                    host=job.host,
                )
            await asyncio.sleep(POLL_SECONDS)


def _is_past(status: Status | None) -> bool:
    """Return True if the job was released, by this or an earlier worker."""
    return status is not None and (status.ended or status.phase in RELEASED)


def _ports_text(ports: Sequence[str]) -> str:
    """Return "tcp:5201" as "TCP port 5201"."""
    texts = [f"{kind.upper()} port {port}" for kind, _, port in (p.partition(":") for p in ports)]
    return " and ".join(texts)
