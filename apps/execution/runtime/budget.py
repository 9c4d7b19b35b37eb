"""Limits on the memory of a worker, independent of the number of its hosts."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

POLL_SECONDS = 0.05


class Budget:
    """Grants `total` bytes in the order of requests; a larger request runs alone.

    One object serves several event loops in turn, which asyncio's locks do not allow, so waiting
    tasks poll.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._used = 0
        self._waiting: deque[object] = deque()

    @asynccontextmanager
    async def taken_if(self, condition: bool, size: int) -> AsyncIterator[None]:
        """Take `size` bytes if `condition`, as `taken` does."""
        if not condition:
            yield
            return
        async with self.taken(size):
            yield

    @asynccontextmanager
    async def taken(self, size: int) -> AsyncIterator[None]:
        """Wait for `size` bytes, and release them at the end."""
        ticket = object()
        self._waiting.append(ticket)
        try:
            while self._waiting[0] is not ticket or not self._fits(size):
                await asyncio.sleep(POLL_SECONDS)
            self._used += size
        finally:
            self._waiting.remove(ticket)
        try:
            yield
        finally:
            self._used -= size

    def _fits(self, size: int) -> bool:
        return not self._used or self._used + size <= self._total


class MemoryBudget:
    """Grants `total` bytes without waiting."""

    def __init__(self, total: int) -> None:
        self.left = total

    def take(self, size: int) -> bool:
        """Take `size` bytes; return False if there are too few."""
        if size > self.left:
            return False
        self.left -= size
        return True

    def give_back(self, size: int) -> None:
        """Release `size` bytes."""
        self.left += size


# Incomplete documents in the output of running tests.
WATCHING = MemoryBudget(32 << 20)
# Transfers of output: each has buffers and a compressor. Small output needs no budget, so it does
# not wait for large output.
COLLECTING = Budget(48 << 20)
BYTES_PER_TRANSFER = 6 << 20
SMALL_OUTPUT = 1 << 20
# Files that are decompressed and parsed, in the worker and in subprocesses: small ones do not wait
# for large ones.
PARSING = Budget(32 << 20)
PARSING_IN_SUBPROCESS = Budget(32 << 20)
