"""Helpers for concurrent asyncio tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def gather_or_cancel(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Return all results; the first error cancels the others and is raised unchanged."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        return await asyncio.gather(*tasks)
    finally:
        await cancel_and_wait(tasks)


async def gather_settled(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Return all results after all have ended; the first error is raised afterwards.

    For work that must not be cancelled.
    """
    results = await asyncio.gather(*works, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


async def run_unless(event: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """Return the result of `work`; cancel it and return None if `event` is set first."""
    working, waiting = asyncio.create_task(work), asyncio.create_task(event.wait())
    try:
        await asyncio.wait((working, waiting), return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        await cancel_and_wait((working, waiting))


async def cancel_and_wait(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until they have ended; their exceptions are ignored."""
    own: list[Awaitable[Any]] = []
    for task in tasks:
        task.cancel()
        own.append(task)
    await asyncio.gather(*own, return_exceptions=True)
