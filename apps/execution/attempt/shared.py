"""State that the attempts of a run share, and batches of their reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.execution.domain.lease import RunLease
from apps.execution.runtime.batcher import Batcher
from apps.execution.runtime.database import run_until_available
from apps.execution.services.attempts import attempt_phases_store
from apps.execution.services.attempts_create import OpenedAttempt, attempts_create
from apps.inventory.models import HostFacts

# Attempts created per transaction: the first hosts start while the next ones are created.
MAX_CREATED = 25
MAX_STATUSES = 500


class Shared:
    """Shared by the attempts of one run. `facts`: by host id, collected during this run."""

    def __init__(self, lease: RunLease) -> None:
        self._lease = lease
        self.facts: dict[int, HostFacts] = {}
        self.creation: Batcher[int, OpenedAttempt | None] = Batcher(self._create, limit=MAX_CREATED)
        # Results are True for attempts that have ended.
        self.responses: Batcher[tuple[UUID, str], bool] = Batcher(self._respond, limit=MAX_STATUSES)

    async def _create(self, cases: Sequence[int]) -> Sequence[OpenedAttempt | Exception | None]:
        return await run_until_available(attempts_create, self._lease, cases)

    async def _respond(self, phases: Sequence[tuple[UUID, str]]) -> Sequence[bool]:
        over = await run_until_available(attempt_phases_store, self._lease, dict(phases))
        return [attempt in over for attempt, _phase in phases]
