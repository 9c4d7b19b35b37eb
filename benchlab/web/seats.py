"""A fixed number of threads that requests are worked on in. Each keeps its own database connection,
so there are never more of them than seats, and no request waits for one in a pool.
"""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import Executor, ThreadPoolExecutor


class Full(Exception):
    """Nobody can be taken in; whoever asked is told so at once."""


class Seat:
    """One thread, for one request. `leave` may be called more than once."""

    def __init__(self, seats: Seats, executor: Executor) -> None:
        self.executor = executor
        self._seats: Seats | None = seats

    def leave(self) -> None:
        """Give it to whoever comes next, once its thread is done: a request whose client is gone
        ends before the thread does that works on it.
        """
        seats, self._seats = self._seats, None
        if seats is not None:
            done = asyncio.get_running_loop().run_in_executor(self.executor, _nothing)
            done.add_done_callback(lambda _done: seats.give(self.executor))


class Seats:
    """`number` seats, and at most `waiting` requests that wait for one, each `patience` seconds at
    most and in the order in which they came. Of one event loop.
    """

    def __init__(self, number: int, *, waiting: int, patience: float) -> None:
        if number < 1:
            raise ValueError("at least one request must be worked on")
        # The one used last is used next: its connection is there, and the others may lapse.
        self._free: list[Executor] = [_thread(f"seat-{place}") for place in range(number)]
        self._queue: deque[asyncio.Future[Executor]] = deque()
        self._waiting, self._patience = waiting, patience

    async def take(self) -> Seat:
        """A seat, as soon as there is one. Raises Full."""
        if self._free:
            return Seat(self, self._free.pop())
        if len(self._queue) >= self._waiting:
            raise Full
        return Seat(self, await self._queued())

    async def _queued(self) -> Executor:
        place: asyncio.Future[Executor] = asyncio.get_running_loop().create_future()
        self._queue.append(place)
        try:
            async with asyncio.timeout(self._patience):
                return await asyncio.shield(place)
        except BaseException as error:
            if place.done():  # given in the moment in which nobody waited any more
                self.give(place.result())
            else:
                self._queue.remove(place)
            if isinstance(error, TimeoutError):
                raise Full from None
            raise

    def give(self, executor: Executor) -> None:
        """Its thread is free."""
        if self._queue:
            self._queue.popleft().set_result(executor)
        else:
            self._free.append(executor)


class Lanes:
    """A few threads that all answers share which are sent piece by piece (event streams,
    downloads): each asks for a moment now and then, and keeps no seat meanwhile.
    """

    def __init__(self, number: int) -> None:
        self._threads = deque(_thread(f"lane-{place}") for place in range(number))

    def next(self) -> Executor:
        """Each in turn."""
        self._threads.rotate()
        return self._threads[0]


def _thread(name: str) -> Executor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)


def _nothing() -> None:
    """Only to know that a thread is free."""
