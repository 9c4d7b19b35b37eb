"""The background load of an attempt: it begins before the first stage and ends after the last one.

It is settled once every command that is the load runs, and has written what shows that it works,
for the seconds of the plan. A load that ends during a stage ends the attempt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

from apps.execution.attempt.barrier import POLL_SECONDS, Barrier
from apps.execution.attempt.driven_job import DrivenJob, Stopped
from apps.execution.attempt.live_metrics import LiveMetricsReader
from apps.execution.attempt.settings_stage import SettingsStage
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.domain.cleanup_jobs import main_command
from apps.execution.domain.messages import load_ended
from apps.execution.runtime.crash import crash_point
from apps.execution.runtime.tasks import gather_or_cancel, gather_settled
from apps.remote.status import Status
from apps.runs.models import AttemptState, FailureCause
from apps.tools.messages import message


class BackgroundStage(SettingsStage):
    """Drives jobs that load targets beside the test; without jobs, every method does nothing."""

    def __init__(
        self, jobs: Sequence[DrivenJob], writer: AttemptWriter, cancelled: asyncio.Event
    ) -> None:
        super().__init__(jobs, writer, cancelled)
        # All of these jobs end after the test; among themselves the servers of pairs come first.
        self._servers = [job for job in jobs if job.ports]
        self._clients = [job for job in jobs if not job.ports]

    async def run(self) -> None:
        """Release the jobs, follow them, and wait until the load is settled."""
        if any(job.held for job in self.jobs):
            await Barrier(self._servers, self._clients, self._writer).pass_through()
        self.follow()
        await self.during(self._settled())
        crash_point("background-settled")

    async def during(self, work: Coroutine[Any, Any, None]) -> None:
        """Await `work` while the load runs.

        Raises:
            Stopped: the load ended before `work` was done.
        """
        try:
            await super().during(work)
        except Stopped as stop:
            if any(job.host == stop.host and _has_failed(job) for job in self.jobs):
                stop = Stopped(
                    stop.state,
                    load_ended(stop.reason),
                    stop.failure_cause,
                    host=stop.host,
                    of_load=stop.of_load,
                )
            raise stop

    async def terminate(self, *, carry: bool = False) -> None:
        """End the clients of pairs, then the servers: a client without its server would fail."""
        await self.close()
        try:
            await gather_settled(self._end_settings(job, carry=carry) for job in self._clients)
        finally:
            await gather_settled(self._end_settings(job, carry=carry) for job in self._servers)

    def check(self, job: DrivenJob, status: Status) -> None:
        """Raise Stopped if the load has ended by itself, with or without an error."""
        try:
            super().check(job, status)
        except Stopped as stop:
            stop.of_load = True
            raise
        if status.ended and not (status.exit or {}).get("cancelled"):
            why = message("%(host)s: it had no more to do", host=job.host_name)
            raise Stopped(AttemptState.FAILED, why, FailureCause.PLAN, host=job.host)

    async def _until_ended(self, job: DrivenJob) -> Status:
        run_id, attempt = self._writer.lease.run_id, self._writer.attempt
        watcher = LiveMetricsReader(self._writer.live, run_id, attempt, job.row.name)
        watcher.offsets.clear()  # live pages show the test
        status = job.status or await job.look()
        return await job.on_host.until_ended(status, watcher, asyncio.Event())

    async def _settled(self) -> None:
        await gather_or_cancel(self._until_loading(job) for job in self._clients)
        load = self._writer.attempt.case.background
        await asyncio.sleep(load.settle_seconds if load else 0.0)

    async def _until_loading(self, job: DrivenJob) -> None:
        """Wait until the load itself runs: what prepares it has ended."""
        deadline = asyncio.get_running_loop().time() + job.spec["deadline"]
        while True:
            status = await job.look()
            self.check(job, status)
            if _is_loading(job, status):
                return
            if asyncio.get_running_loop().time() > deadline:
                text = message("%(host)s: the background load does not begin", host=job.host_name)
                raise Stopped(AttemptState.FAILED, text, FailureCause.TOOL, host=job.host)
            await asyncio.sleep(POLL_SECONDS)


def _is_loading(job: DrivenJob, status: Status) -> bool:
    """Return True if the load runs, and has written its first figures if it has a file for them.

    fio writes them once it has laid out its files.
    """
    main = main_command(job.spec)
    if status.phase != "running" or status.command != main:
        return False
    files = [status.file(name) for name in job.spec["commands"][main].get("files") or ()]
    return all(file is not None and file.size > 0 for file in files)


def _has_failed(job: DrivenJob) -> bool:
    return job.has_ended and not ((job.status and job.status.exit) or {}).get("cancelled")
