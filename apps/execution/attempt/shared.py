"""State that a run's attempts share, and rows that are read once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.execution.domain.lease import RunLease
from apps.execution.runtime.batcher import Batcher
from apps.execution.runtime.database import run_until_available
from apps.execution.services.attempts import attempts_heard
from apps.execution.services.attempts_create import OpenedAttempt, attempts_create
from apps.inventory.models import HostFacts

# Attempts that are opened at once: the first hosts begin while the next ones are opened.
OPENED = 25
HEARD = 500


class Shared:
    """Of one run in the hands of one worker. `facts` are those that a host told in this run, by its
    id.
    """

    def __init__(self, lease: RunLease) -> None:
        self._lease = lease
        self.facts: dict[int, HostFacts] = {}
        self.opening: Batcher[int, OpenedAttempt | None] = Batcher(self._open, most=OPENED)
        # Whether somebody has ended an attempt that was heard of.
        self.heard: Batcher[tuple[UUID, str], bool] = Batcher(self._hear, most=HEARD)

    async def _open(self, cases: Sequence[int]) -> Sequence[OpenedAttempt | Exception | None]:
        return await run_until_available(attempts_create, self._lease, cases)

    async def _hear(self, said: Sequence[tuple[UUID, str]]) -> Sequence[bool]:
        over = await run_until_available(attempts_heard, self._lease, dict(said))
        return [attempt in over for attempt, _phase in said]
