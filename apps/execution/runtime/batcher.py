"""Requests of many at the same time are done as one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

A = TypeVar("A")
R = TypeVar("R")


class Batcher(Generic[A, R]):
    """`work` does what is asked for, `most` of it at once and one call at a time: what is asked
    meanwhile goes into the next one. It returns what became of each in the order given; an
    exception is raised for that one alone.
    """

    def __init__(
        self, work: Callable[[Sequence[A]], Awaitable[Sequence[R | Exception]]], *, most: int
    ) -> None:
        self._work, self._most = work, most
        self._waiting: list[tuple[A, asyncio.Future[R]]] = []
        self._working: asyncio.Task[None] | None = None

    async def do(self, item: A) -> R:
        """The result of this one. What `work` itself raises is raised for all of a call."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[R] = loop.create_future()
        self._waiting.append((item, future))
        if self._working is None or self._working.done():
            self._working = loop.create_task(self._all())
        return await future

    async def _all(self) -> None:
        await asyncio.sleep(0)  # whoever asks in the same turn of the loop comes along
        while self._waiting:
            now, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
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
                _tell(future, result)


def _tell(future: asyncio.Future[R], result: R | Exception) -> None:
    if future.done():
        return  # nobody waits for it any more
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
