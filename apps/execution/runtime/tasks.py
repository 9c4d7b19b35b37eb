"""Several things at once, of which the first trouble ends all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def gather_or_cancel(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """All to their ends; the first error ends the others and is raised as it is."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        return await asyncio.gather(*tasks)
    finally:
        await cancel_and_wait(tasks)


async def gather_settled(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """All to their ends, also when one fails: for what must not be interrupted half-way. The first
    error is raised afterwards.
    """
    results = await asyncio.gather(*works, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


async def run_unless(event: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """The work's result; None when the event came first, and the work is ended."""
    working, waiting = asyncio.create_task(work), asyncio.create_task(event.wait())
    try:
        await asyncio.wait((working, waiting), return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        await cancel_and_wait((working, waiting))


async def cancel_and_wait(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """End tasks and wait until they have ended; what they raise by then is of no interest."""
    own: list[Awaitable[Any]] = []
    for task in tasks:
        task.cancel()
        own.append(task)
    await asyncio.gather(*own, return_exceptions=True)
