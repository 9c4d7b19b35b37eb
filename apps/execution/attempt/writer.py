"""Rows that a worker writes about one attempt while it drives it."""

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
from apps.execution.runtime.budget import READING, READING_APART
from apps.execution.runtime.database import run_until_available
from apps.execution.runtime.log_throttle import LogThrottle
from apps.execution.services.attempt_jobs import jobs_launched, jobs_note
from apps.execution.services.attempts import (
    AttemptOver,
    attempt_advance,
    attempt_contact_lost,
    attempt_seen,
)
from apps.execution.services.host_keys import host_key_again, host_key_changed
from apps.execution.services.results import attempt_close, attempt_publish
from apps.remote.errors import BadAnswer, HostError
from apps.runs.models import Attempt, AttemptJob, AttemptState
from apps.runs.services.artifacts import bytes_to_read
from apps.tools.messages import error_message, message

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

# Answers that cannot be, in one attempt, before its host is believed to be broken.
BAD_ANSWERS = 3


class AttemptWriter:
    """One attempt's row, and the hosts of it that do not answer at the moment."""

    def __init__(
        self, attempt: Attempt, lease: RunLease, live: LivePublisher, shared: Shared | None = None
    ) -> None:
        self.attempt = attempt
        self.lease, self.live = lease, live
        self._shared = shared or Shared(lease)
        self._silent: set[str] = set()
        self._other_keys: set[str] = set()
        self._bad_answers = 0
        self._log_throttle = LogThrottle(log)
        # Loaded with the attempt (services.attempt_open); all who drive it write into these rows.
        self.jobs: list[AttemptJob] = list(attempt.jobs.all())
        self._hosts = {str(job.pk): job.host_id for job in self.jobs}

    async def write(
        self,
        write: Callable[Concatenate[RunLease, Attempt, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """One of the worker's writes about this attempt."""
        return await run_until_available(write, self.lease, self.attempt, *args, **kwargs)

    async def advance(self, state: AttemptState, **fields: Any) -> None:
        """Forward to this state, with what is known by now."""
        self.attempt = await self.write(attempt_advance, state, fields)

    async def reach(self, state: AttemptState, **fields: Any) -> None:
        """Every step there is up to this one, where the attempt is not so far yet; with what is
        known by then.
        """
        order = list(AttemptState)
        here, there = order.index(AttemptState(self.attempt.state)), order.index(state)
        if here < there:
            await self.advance(state, **fields)
        elif fields:
            await self.note(**fields)

    async def note(self, **fields: Any) -> None:
        """Writes down fields, the state staying as it is."""
        await self.advance(AttemptState(self.attempt.state), **fields)

    async def keep(self, *fields: str) -> None:
        """Store what is new in these fields of the jobs."""
        await self.write(jobs_note, fields)

    async def launched(self, jobs: Sequence[AttemptJob]) -> None:
        """The hosts know these jobs now: the attempt is running."""
        await self.write(jobs_launched, jobs)

    async def close(self, outcome: AttemptOutcome, *, touched: bool) -> None:
        """The end of an attempt that produced nothing to read."""
        await self.write(attempt_close, outcome, touched=touched)
        await self.live.publish(self.lease.run_id, "state", {"state": str(outcome.state)})

    async def publish(self) -> None:
        """The end of an attempt whose files are stored."""
        size = await run_until_available(bytes_to_read, self.attempt)
        if size <= IN_PROCESS_LIMIT:
            async with READING.taken(size):
                state = await self.write(attempt_publish)
        else:
            async with READING_APART.taken(max(size, MIN_BUDGET)):
                state = await self._publish_apart(size)
        await self.live.publish(self.lease.run_id, "state", {"state": str(state)})

    async def _publish_apart(self, size: int) -> AttemptState:
        """As `attempt_publish`, in a process of its own. What that cannot read is kept, and this is
        the attempt's reason.
        """
        try:
            while await parse_in_subprocess(self.lease, self.attempt.pk) == DATABASE_UNAVAILABLE:
                await asyncio.sleep(1.0)
        except ParseFailed as why:
            unread = message(
                "the output of %(size)d MiB is kept and was not read: %(why)s",
                size=size >> 20,
                why=error_message(why),
            )
            return await self.write(attempt_publish, unread)
        # Whoever was overtaken hears it from the fence at the next write.
        return await self.write(attempt_seen)

    async def heard(self, job: str, phase: str) -> None:
        """A job's host answered. The attempt is in contact again when all of them are."""
        self._silent.discard(job)
        await self.key_again(job)
        if self._silent:
            return  # the next look at it says which still are
        if await self._shared.heard.do((self.attempt.pk, phase)):
            raise AttemptOver(self.attempt.pk)

    async def key_again(self, job: str) -> None:
        """Have the job's host checked if it showed another key before."""
        if job in self._other_keys:
            self._other_keys.discard(job)
            await self.write(host_key_again, self._hosts[job])

    async def silent(self, job: str, error: HostError) -> None:
        """A job's host does not answer: what runs there is unknown. Waits a moment. A host that
        answers what cannot be is asked again a few times only: then its error is raised.
        """
        self._log_throttle.log(f"attempt {self.attempt.pk}", error, level=logging.INFO)
        if isinstance(error, BadAnswer):
            self._bad_answers += 1
            if self._bad_answers > BAD_ANSWERS:
                raise error
        self._silent.add(job)
        hosts = sorted({self._hosts[name] for name in self._silent})
        if error.kind == "key_changed" and job not in self._other_keys:
            self._other_keys.add(job)
            await self.write(host_key_changed, self._hosts[job], error.message)
        await self.write(attempt_contact_lost, error.message, hosts)
        await asyncio.sleep(1.0)
