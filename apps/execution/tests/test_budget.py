"""The bytes a worker reads at once are bounded; nobody waits for ever."""

from __future__ import annotations

import asyncio

from apps.execution.runtime.budget import Budget


async def _take(budget: Budget, name: str, size: int, log: list[str], go: asyncio.Event) -> None:
    async with budget.taken(size):
        log.append(name)
        await go.wait()


async def _seen(log: list[str], count: int) -> None:
    while len(log) < count:
        await asyncio.sleep(0.01)


async def test_what_fits_goes_side_by_side_and_what_is_large_alone() -> None:
    budget, log = Budget(10), list[str]()
    first, then = asyncio.Event(), asyncio.Event()
    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        tasks.create_task(_take(budget, "a", 4, log, first))
        tasks.create_task(_take(budget, "b", 6, log, first))
        tasks.create_task(_take(budget, "huge", 99, log, then))
        tasks.create_task(_take(budget, "c", 1, log, then))
        await _seen(log, 2)
        await asyncio.sleep(0)
        assert log == ["a", "b"]
        first.set()
        await _seen(log, 3)
        assert log == ["a", "b", "huge"]
        then.set()
    assert log == ["a", "b", "huge", "c"]


async def test_who_gives_up_waiting_is_not_waited_for() -> None:
    budget, log = Budget(1), list[str]()
    async with asyncio.timeout(60):
        async with budget.taken(1):
            waiting = asyncio.create_task(_take(budget, "x", 1, log, asyncio.Event()))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        async with budget.taken(1):
            assert log == []
