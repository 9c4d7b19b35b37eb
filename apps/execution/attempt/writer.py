"""Write the rows of one attempt while a worker drives it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

from apps.common.subprocess_limits import DATABASE_UNAVAILABLE, IN_PROCESS_LIMIT
from apps.execution.attempt.live_publisher import LivePublisher
from apps.execution.attempt.parse_subprocess import MIN_BUDGET, ParseFailed, parse_in_subprocess
from apps.execution.attempt.shared import Shared
from apps.execution.domain.lease import RunLease
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.runtime.budget import PARSING, PARSING_IN_SUBPROCESS
from apps.execution.runtime.database import run_until_available
from apps.execution.runtime.log_throttle import LogThrottle
from apps.execution.services.attempt_end import attempt_close, attempt_publish
from apps.execution.services.attempt_jobs import jobs_launched, jobs_note
from apps.execution.services.attempts import (
    AttemptOver,
    attempt_advance,
    attempt_contact_lost,
    attempt_seen,
)
from apps.execution.services.host_keys import host_key_again, host_key_changed
from apps.remote.errors import HostError, InvalidResponse
from apps.runs.models import Attempt, AttemptJob, AttemptState
from apps.runs.services.artifacts import bytes_to_read
from apps.tools.messages import error_message, message

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

# Invalid answers per attempt that are retried.
MAX_BAD_ANSWERS = 3


class AttemptWriter:
    """Writes one attempt, and tracks its unresponsive hosts."""

    def __init__(
        self, attempt: Attempt, lease: RunLease, live: LivePublisher, shared: Shared | None = None
    ) -> None:
        self.attempt = attempt
        self.lease, self.live = lease, live
        self._shared = shared or Shared(lease)
        self._unresponsive: set[str] = set()
        self._other_keys: set[str] = set()
        self._bad_answers = 0
        self._log_throttle = LogThrottle(log)
        # Loaded with the attempt; shared by all drivers of its jobs.
        self.jobs: list[AttemptJob] = list(attempt.jobs.all())
        self._hosts = {str(job.pk): job.host_id for job in self.jobs}

    async def write(
        self,
        write: Callable[Concatenate[RunLease, Attempt, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Call a service for this attempt in a database thread."""
        return await run_until_available(write, self.lease, self.attempt, *args, **kwargs)

    async def advance(self, state: AttemptState, **fields: Any) -> None:
        """Advance to `state`, and store `fields`."""
        self.attempt = await self.write(attempt_advance, state, fields)

    async def reach(self, state: AttemptState, **fields: Any) -> None:
        """Advance to `state` if the attempt has not reached it yet, and store `fields`."""
        order = list(AttemptState)
        here, there = order.index(AttemptState(self.attempt.state)), order.index(state)
        if here < there:
            await self.advance(state, **fields)
        elif fields:
            await self.note(**fields)

    async def note(self, **fields: Any) -> None:
        """Store `fields`; the state stays."""
        await self.advance(AttemptState(self.attempt.state), **fields)

    async def store_jobs(self, *fields: str) -> None:
        """Store these fields of the jobs."""
        await self.write(jobs_note, fields)

    async def store_launched(self, jobs: Sequence[AttemptJob]) -> None:
        """Store that the hosts have started these jobs."""
        await self.write(jobs_launched, jobs)

    async def close(self, outcome: AttemptOutcome, *, touched: bool) -> None:
        """End an attempt without output."""
        await self.write(attempt_close, outcome, touched=touched)
        await self.live.publish(self.lease.run_id, "state", {"state": str(outcome.state)})

    async def publish(self) -> None:
        """Parse the stored files and end the attempt; large files in a subprocess."""
        size = await run_until_available(bytes_to_read, self.attempt)
        if size <= IN_PROCESS_LIMIT:
            async with PARSING.taken(size):
                state = await self.write(attempt_publish)
        else:
            async with PARSING_IN_SUBPROCESS.taken(max(size, MIN_BUDGET)):
                state = await self._publish_in_subprocess(size)
        await self.live.publish(self.lease.run_id, "state", {"state": str(state)})

    async def _publish_in_subprocess(self, size: int) -> AttemptState:
        """Run `attempt_publish` in a subprocess; if that fails, the attempt ends as unread."""
        try:
            while await parse_in_subprocess(self.lease, self.attempt.pk) == DATABASE_UNAVAILABLE:
                await asyncio.sleep(1.0)
        except ParseFailed as why:
            unread = message(
                "the output of %(size)d MiB is stored and was not read: %(why)s",
                size=size >> 20,
                why=error_message(why),
            )
            return await self.write(attempt_publish, unread)
        # A worker that lost the lease fails at its next write.
        return await self.write(attempt_seen)

    async def mark_responsive(self, job: str, phase: str) -> None:
        """Store that a job's host answered; contact is restored when all hosts answer."""
        self._unresponsive.discard(job)
        await self.mark_key_restored(job)
        if self._unresponsive:
            return  # the next failure stores which hosts are left
        if await self._shared.responses.do((self.attempt.pk, phase)):
            raise AttemptOver(self.attempt.pk)

    async def mark_key_restored(self, job: str) -> None:
        """Request a check of the job's host if it presented another key before."""
        if job in self._other_keys:
            self._other_keys.discard(job)
            await self.write(host_key_again, self._hosts[job])

    async def mark_unresponsive(self, job: str, error: HostError) -> None:
        """Store that a job's host is unresponsive, and wait one second.

        Raises:
            InvalidResponse: the host sent too many invalid answers.
        """
        self._log_throttle.log(f"attempt {self.attempt.pk}", error, level=logging.INFO)
        if isinstance(error, InvalidResponse):
            self._bad_answers += 1
            if self._bad_answers > MAX_BAD_ANSWERS:
                raise error
        self._unresponsive.add(job)
        hosts = sorted({self._hosts[name] for name in self._unresponsive})
        if error.kind == "key_changed" and job not in self._other_keys:
            self._other_keys.add(job)
            await self.write(host_key_changed, self._hosts[job], error.message)
        await self.write(attempt_contact_lost, error.message, hosts)
        await asyncio.sleep(1.0)
