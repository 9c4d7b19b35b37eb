"""State that a run's attempts share, and rows that are read once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.execution import services
from apps.execution.attempt.opening import Opened, attempts_open
from apps.execution.engine.database import patiently
from apps.execution.engine.hold import Hold
from apps.execution.engine.together import Together
from apps.inventory.models import HostFacts

# Attempts that are opened at once: the first hosts begin while the next ones are opened.
OPENED = 25
HEARD = 500


class Shared:
    """Of one run in the hands of one worker. `facts` are those that a host told in this run, by its
    id.
    """

    def __init__(self, hold: Hold) -> None:
        self._hold = hold
        self.facts: dict[int, HostFacts] = {}
        self.opening: Together[int, Opened | None] = Together(self._open, most=OPENED)
        # Whether somebody has ended an attempt that was heard of.
        self.heard: Together[tuple[UUID, str], bool] = Together(self._hear, most=HEARD)

    async def _open(self, cases: Sequence[int]) -> Sequence[Opened | Exception | None]:
        return await patiently(attempts_open, self._hold, cases)

    async def _hear(self, said: Sequence[tuple[UUID, str]]) -> Sequence[bool]:
        over = await patiently(services.attempts_heard, self._hold, dict(said))
        return [attempt in over for attempt, _phase in said]
