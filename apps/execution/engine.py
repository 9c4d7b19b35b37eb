"""The engine: one thread with one event loop a worker process, holding all connections and driving
all its runs.

It sweeps PostgreSQL every few seconds for runs that nobody drives, and looks at once when a hint
arrives. A lost hint costs one sweep; a duplicate finds nothing to do.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import threading
import uuid
from collections.abc import Coroutine
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError

from apps.execution.database import disconnect, once
from apps.execution.hosts import HostBook, check_host
from apps.execution.live import Live
from apps.execution.run import Running
from apps.execution.selectors import hosts_to_check, runs_to_start, runs_without_worker
from apps.runs.leases import run_lease, run_start_if_free

log = logging.getLogger(__name__)


# Times in a row that a defect of ours may stop a run before it is ended as failed.
DEFECTS = 4


class Engine:
    """Start once a process; `wake` may be called from any thread."""

    def __init__(self) -> None:
        self.name = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:6]}"
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="engine", daemon=True)
        self._wake = asyncio.Event()
        self._stopping = asyncio.Event()
        self._running: dict[int, Running] = {}
        self._checking: set[int] = set()
        self._defects: dict[int, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin to sweep, in a thread of its own."""
        self._thread.start()

    def stop(self, timeout: float = 10.0) -> None:
        """Hand over every run and end the thread. What runs on the hosts runs on."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(timeout)
        disconnect()

    def wake(self, run_id: int | None = None) -> None:
        """A hint: look now, at this run in particular."""
        self._loop.call_soon_threadsafe(self._hinted, run_id)

    def _hinted(self, run_id: int | None) -> None:
        running = self._running.get(run_id or 0)
        if running is not None:
            running.look()
        self._wake.set()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._main())
        finally:
            self._loop.close()

    async def _main(self) -> None:
        self._book, self._live = HostBook(), Live()
        log.info("engine %s sweeps every %s s", self.name, settings.BENCHLAB_SWEEP_SECONDS)
        stopping = asyncio.create_task(self._stopping.wait())
        while not self._stopping.is_set():
            self._wake.clear()
            await self._sweep()
            waking = asyncio.create_task(self._wake.wait())
            await asyncio.wait(
                (waking, stopping),
                timeout=settings.BENCHLAB_SWEEP_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
            waking.cancel()
        await self._close()

    async def _sweep(self) -> None:
        try:
            for run_id in await once(runs_without_worker):
                fence = await once(run_lease, run_id=run_id, worker=self.name)
                self._drive(run_id, fence)
            for run_id in await once(runs_to_start):
                fence = await once(run_start_if_free, run_id=run_id, worker=self.name)
                self._drive(run_id, fence)
            for host_id in await once(hosts_to_check):
                self._check(host_id)
        except (OperationalError, InterfaceError) as error:
            log.warning("cannot look for work, the database does not answer: %s", error)

    def _drive(self, run_id: int, fence: int | None) -> None:
        if fence is None:
            return
        running = Running(run_id, fence, self._book, self._live)
        self._running[run_id] = running
        self._spawn(self._drive_to_end(run_id, running))

    async def _drive_to_end(self, run_id: int, running: Running) -> None:
        try:
            await running.drive()
            self._defects.pop(run_id, None)
        except Exception as error:
            # A defect of ours: the lease lapses, and a sweep tries again from what is stored.
            log.exception("driving run %s failed", run_id)
            self._defects[run_id] = self._defects.get(run_id, 0) + 1
            if self._defects[run_id] >= DEFECTS:
                await running.give_up(f"benchlab itself failed: {error!r}; please report it")
        finally:
            if self._running.get(run_id) is running:
                del self._running[run_id]
            self._wake.set()

    def _check(self, host_id: int) -> None:
        if host_id not in self._checking:
            self._checking.add(host_id)
            self._spawn(self._check_to_end(host_id))

    async def _check_to_end(self, host_id: int) -> None:
        try:
            await check_host(self._book, host_id)
        except Exception:
            log.exception("checking host %s failed", host_id)
        finally:
            self._checking.discard(host_id)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _close(self) -> None:
        running = list(self._running.values())
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for run in running:
            with contextlib.suppress(OperationalError, InterfaceError):
                await run.hand_over()
        await self._book.close()
        await self._live.close()
