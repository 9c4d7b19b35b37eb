"""Settings that all stages of an attempt share, such as options of restarted OSDs.

Their jobs are launched before the first stage and ended after the last one. If the next attempt
needs the same settings, the hosts leave them in force for it, so that daemons restart twice for a
row of attempts, however many stages these have.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

from apps.execution.attempt.barrier import POLL_SECONDS
from apps.execution.attempt.driven_job import RELEASED, DrivenJob
from apps.execution.attempt.stage import StageDriver
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.runtime.crash import crash_point
from apps.execution.runtime.tasks import cancel_and_wait, gather_or_cancel, gather_settled
from apps.remote.status import Status


class SettingsStage(StageDriver):
    """Drives jobs that hold settings; without jobs, every method does nothing."""

    def __init__(
        self, jobs: Sequence[DrivenJob], writer: AttemptWriter, cancelled: asyncio.Event
    ) -> None:
        super().__init__(jobs, writer, cancelled)
        self._following: dict[asyncio.Task[Status], DrivenJob] = {}

    async def run(self) -> None:
        """Wait until every host has applied its settings; the jobs are followed from then on."""
        self.follow()
        await gather_or_cancel(self._until_applied(job) for job in self.jobs)
        crash_point("settings-applied")

    def follow(self) -> None:
        """Follow the jobs until they end."""
        if not self._following:
            self._following = {asyncio.create_task(self._until_ended(j)): j for j in self.jobs}

    def check(self, job: DrivenJob, status: Status) -> None:
        """Raise Stopped if the job has ended without success."""
        job.raise_unless_good(status)

    async def during(self, work: Coroutine[Any, Any, None]) -> None:
        """Await `work` while the settings are in force.

        Raises:
            Stopped: a host lost its settings before `work` was done.
        """
        task = asyncio.create_task(work)
        try:
            await asyncio.wait({task, *self._following}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                for ended, job in self._following.items():
                    if ended.done():
                        # A cancelled job is a good end: an earlier worker ended it after `work`.
                        self.check(job, ended.result())
            await task
        finally:
            await cancel_and_wait([task])

    async def terminate(self, *, carry: bool = False) -> None:
        """End the jobs; each host restores its settings before it confirms the end.

        `carry`: the hosts leave the settings for the next attempt instead.
        """
        await self.close()
        await gather_settled(self._end_settings(job, carry=carry) for job in self.jobs)

    async def close(self) -> None:
        """Stop following the jobs, which continue on their hosts."""
        following, self._following = list(self._following), {}
        await cancel_and_wait(following)

    async def _end_settings(self, job: DrivenJob, *, carry: bool) -> None:
        # An earlier worker may have ended it for a next attempt that does not come now.
        if carry or job.carries_settings:
            job.status = await job.on_host.end(carry=carry)
        else:
            await self._end(job)

    async def _until_applied(self, job: DrivenJob) -> None:
        while True:
            status = await job.look()
            job.raise_unless_good(status)
            if status.ended or status.phase in RELEASED:
                return
            await asyncio.sleep(POLL_SECONDS)
