"""Bytes that a worker has in its hands at once, whatever the number of its hosts."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

LOOK = 0.05  # seconds


class Budget:
    """Hands out `total` bytes in the order of asking; more than all of them only alone.

    It belongs to the process and is used by one event loop after another (apps.execution.engine),
    which asyncio's own locks are not made for: who waits looks every LOOK seconds.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._used = 0
        self._waiting: deque[object] = deque()

    @asynccontextmanager
    async def taken_if(self, asked: bool, size: int) -> AsyncIterator[None]:
        """As `taken`, or nothing at all."""
        if not asked:
            yield
            return
        async with self.taken(size):
            yield

    @asynccontextmanager
    async def taken(self, size: int) -> AsyncIterator[None]:
        """Wait for so many bytes, and give them back at the end."""
        ticket = object()
        self._waiting.append(ticket)
        try:
            while self._waiting[0] is not ticket or not self._has_room(size):
                await asyncio.sleep(LOOK)
            self._used += size
        finally:
            self._waiting.remove(ticket)
        try:
            yield
        finally:
            self._used -= size

    def _has_room(self, size: int) -> bool:
        return not self._used or self._used + size <= self._total


class MemoryBudget:
    """Lends `total` bytes to whoever comes first; nobody waits for any."""

    def __init__(self, total: int) -> None:
        self.left = total

    def take(self, size: int) -> bool:
        """Whether there were so many."""
        if size > self.left:
            return False
        self.left -= size
        return True

    def give_back(self, size: int) -> None:
        """So many of those taken before."""
        self.left += size


# Output of running tests that says nothing yet: documents whose end is still to come.
WATCHING = MemoryBudget(32 << 20)
# Hosts whose output is on its way here: each has pieces under way and a packer. Little output needs
# none of it, so it does not wait behind large output.
COLLECTING = Budget(48 << 20)
EACH_COLLECTS = 6 << 20
LITTLE = 1 << 20
# Stored files that are unpacked and parsed at this moment, here and by processes of their own: what
# is small does not wait behind what is large.
READING = Budget(32 << 20)
READING_APART = Budget(32 << 20)
