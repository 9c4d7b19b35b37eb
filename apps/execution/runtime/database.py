"""The ORM from the engine's event loop: calls run in a pool of threads with own connections."""

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
# SQLSTATE of a missing table, column, schema or privilege, as during a migration or restore
# (PostgreSQL's documentation, appendix A).
MISSING_OBJECT = ("42P01", "42703", "3F000", "42501")


def _new_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="database")


_threads = _new_threads()


def is_away(error: BaseException) -> bool:
    """Return True if the database is unavailable, rather than the query wrong."""
    if is_database_unavailable(error):
        return True
    if isinstance(error, ProgrammingError):
        return getattr(error.__cause__, "sqlstate", None) in MISSING_OBJECT
    return isinstance(error, (OperationalError, InterfaceError))


def _fresh(call: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return call()
    except StopIteration as error:
        # A future cannot hold a StopIteration; awaiting it would never return.
        raise RuntimeError(f"the function raised StopIteration: {error}") from error


async def run_in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function` in a database thread.

    Raises:
        OperationalError: the database is unavailable.
    """
    call = partial(function, *args, **kwargs)
    # The context is copied, so that log lines name the same run.
    call_here = partial(copy_context().run, _fresh, call)
    return await asyncio.get_running_loop().run_in_executor(_threads, call_here)


async def run_until_available(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function` in a database thread, again while the database is unavailable.

    Events of hosts must not be lost during a restart of the database.
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
    """Replace the threads and connections; an old thread closes its connection when it is idle."""
    global _threads  # the pool belongs to the process, like its connections
    old, _threads = _threads, _new_threads()
    _close_connections(old)
    old.shutdown(wait=False)


def close_connections() -> None:
    """Close the connections of all database threads, after the engine has stopped."""
    for done in _close_connections(_threads):
        done.result()


def _close_connections(threads: ThreadPoolExecutor) -> list[Future[None]]:
    """Close the connection of each thread; a barrier lets every thread run it once."""
    meeting = threading.Barrier(THREADS)

    def close() -> None:
        with contextlib.suppress(threading.BrokenBarrierError):
            meeting.wait(10)
        connections.close_all()

    return [threads.submit(close) for _ in range(THREADS)]
