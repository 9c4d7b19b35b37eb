"""Combine concurrent requests to batches."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

A = TypeVar("A")
R = TypeVar("R")


class Batcher(Generic[A, R]):
    """Calls `work` with up to `limit` items, one call at a time.

    Items added meanwhile go into the next call. `work` returns a result per item, in order; an
    exception among them is raised for its item only.
    """

    def __init__(
        self, work: Callable[[Sequence[A]], Awaitable[Sequence[R | Exception]]], *, limit: int
    ) -> None:
        self._work, self._limit = work, limit
        self._waiting: list[tuple[A, asyncio.Future[R]]] = []
        self._working: asyncio.Task[None] | None = None

    async def do(self, item: A) -> R:
        """Return the result of one item; an exception of `work` is raised for all its items."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[R] = loop.create_future()
        self._waiting.append((item, future))
        if self._working is None or self._working.done():
            self._working = loop.create_task(self._all())
        return await future

    async def _all(self) -> None:
        await asyncio.sleep(0)  # items added in the same turn of the loop join the batch
        while self._waiting:
            now, self._waiting = self._waiting[: self._limit], self._waiting[self._limit :]
            results: Sequence[R | Exception]
            try:
                results = await self._work([item for item, _future in now])
            except Exception as error:
                results = [error] * len(now)
            except BaseException:
                for _item, future in now:
                    future.cancel()
                raise
            for (_item, future), result in zip(now, results, strict=True):
                _set_result(future, result)


def _set_result(future: asyncio.Future[R], result: R | Exception) -> None:
    if future.done():
        return  # the waiting task was cancelled
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
