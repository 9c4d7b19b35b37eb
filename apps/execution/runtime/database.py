"""The ORM from the engine's event loop: every call runs in a small pool of threads with connections
of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import (
    InterfaceError,
    OperationalError,
    ProgrammingError,
    close_old_connections,
    connections,
)

from apps.common.database.availability import is_database_unavailable

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)
THREADS = 6
# A table, column, schema or right that is not there at the moment: somebody restores a backup or
# migrates (SQLSTATE, PostgreSQL's documentation, appendix A).
NOT_THERE = ("42P01", "42703", "3F000", "42501")


def _new_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="database")


_threads = _new_threads()


def is_away(error: BaseException) -> bool:
    """Whether the database, not what was asked of it, is the trouble: it may pass by itself."""
    if is_database_unavailable(error):
        return True
    if isinstance(error, ProgrammingError):
        return getattr(error.__cause__, "sqlstate", None) in NOT_THERE
    return isinstance(error, (OperationalError, InterfaceError))


def _fresh(call: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return call()
    except StopIteration as error:
        # A future refuses a StopIteration, and whoever awaits it then waits for ever.
        raise RuntimeError(f"the function raised StopIteration: {error}") from error


async def run_in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function` in a database thread. A database that is down raises OperationalError."""
    call = partial(function, *args, **kwargs)
    # The caller's context goes along: what is logged there is about the same run.
    call_here = partial(copy_context().run, _fresh, call)
    return await asyncio.get_running_loop().run_in_executor(_threads, call_here)


async def run_until_available(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `once`, but wait for a database that is away: what happened on a host must not be
    forgotten for that.
    """
    pause = 0.2
    while True:
        try:
            return await run_in_thread(function, *args, **kwargs)
        except Exception as error:
            if not is_away(error):
                raise
            log.warning("the database does not answer, trying again in %.1f s: %s", pause, error)
            await asyncio.sleep(pause)
            pause = min(pause * 2, 5.0)


def restart_threads() -> None:
    """New threads with new connections. One of the old that still waits for an answer closes its
    own when it has it.
    """
    global _threads  # the pool belongs to the process, like its connections
    old, _threads = _threads, _new_threads()
    _close_connections(old)
    old.shutdown(wait=False)


def close_connections() -> None:
    """Close the connections of all database threads (the engine has stopped)."""
    for done in _close_connections(_threads):
        done.result()


def _close_connections(threads: ThreadPoolExecutor) -> list[Future[None]]:
    """Each of the threads closes its own; they meet first, so that none does it twice."""
    meeting = threading.Barrier(THREADS)

    def close() -> None:
        with contextlib.suppress(threading.BrokenBarrierError):
            meeting.wait(10)
        connections.close_all()

    return [threads.submit(close) for _ in range(THREADS)]
