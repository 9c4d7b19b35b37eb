"""The ORM from the engine's event loop: every call runs in a small pool of threads with connections
of their own.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections, connections

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)
THREADS = 6
_threads = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="database")


def _fresh(call: Callable[[], T]) -> T:
    close_old_connections()
    return call()


async def once(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function` in a database thread. A database that is down raises OperationalError."""
    call = partial(function, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_threads, _fresh, call)


async def patiently(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `once`, but wait for a database that is down: what happened on a host must not be
    forgotten for that.
    """
    pause = 0.2
    while True:
        try:
            return await once(function, *args, **kwargs)
        except (OperationalError, InterfaceError) as error:
            log.warning("the database does not answer, trying again in %.1f s: %s", pause, error)
            await asyncio.sleep(pause)
            pause = min(pause * 2, 5.0)


def disconnect() -> None:
    """Close the connections of all database threads (the engine has stopped)."""
    meeting = threading.Barrier(THREADS)

    def close() -> None:
        meeting.wait(10)
        connections.close_all()

    for done in [_threads.submit(close) for _ in range(THREADS)]:
        done.result()
