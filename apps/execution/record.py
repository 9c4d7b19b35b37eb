"""What a worker writes down about one attempt while it drives it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from apps.execution import services
from apps.execution.database import patiently
from apps.execution.hold import Hold
from apps.execution.live import Live
from apps.remote.errors import HostError
from apps.runs.models import Attempt, AttemptState

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)


class Record:
    """One attempt's row, and the hosts of it that do not answer at the moment."""

    def __init__(self, attempt: Attempt, hold: Hold, live: Live) -> None:
        self.attempt = attempt
        self.hold, self.live = hold, live
        self._silent: set[str] = set()

    async def write(
        self,
        write: Callable[Concatenate[Hold, Attempt, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """One of the worker's writes about this attempt."""
        return await patiently(write, self.hold, self.attempt, *args, **kwargs)

    async def advance(self, state: AttemptState, **fields: Any) -> None:
        """One step forward, with what is known by now."""
        self.attempt = await self.write(services.attempt_advance, state, fields)

    async def reach(self, state: AttemptState) -> None:
        """Every step there is up to this one, where the attempt is not so far yet."""
        order = list(AttemptState)
        for step in order[: order.index(state) + 1]:
            if order.index(step) > order.index(AttemptState(self.attempt.state)):
                await self.advance(step)

    async def note(self, **fields: Any) -> None:
        """What is known by now, the state staying as it is."""
        await self.advance(AttemptState(self.attempt.state), **fields)

    async def close(self, state: AttemptState, reason: str, fault: str = "") -> None:
        """The end of an attempt that produced nothing to read."""
        await self.write(services.attempt_close, state, reason, fault)
        await self.live.publish(self.hold.run_id, "state", {"state": str(state)})

    async def publish(self) -> None:
        """The end of an attempt whose files are stored."""
        state = await self.write(services.attempt_publish)
        await self.live.publish(self.hold.run_id, "state", {"state": str(state)})

    async def heard(self, job: str, phase: str) -> None:
        """A job's host answered. The attempt is in contact again when all of them are."""
        self._silent.discard(job)
        if not self._silent:
            await self.write(services.attempt_phase, phase)

    async def silent(self, job: str, error: HostError) -> None:
        """A job's host does not answer: what runs there is unknown. Waits a moment."""
        log.info("attempt %s: %s", self.attempt.pk, error)
        self._silent.add(job)
        await self.write(services.attempt_contact_lost, error.message)
        await asyncio.sleep(1.0)
