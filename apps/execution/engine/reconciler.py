"""Reconcile wanted and actual work every few seconds, and at once after a hint.

A lost hint costs one sweep; a duplicate has no effect. The run of a hint is reconciled alone, so
that it does not wait for a sweep. An error of one run, host or query does not delay the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from django.conf import settings
from django.db import DatabaseError

from apps.execution.attempt.live_publisher import LivePublisher
from apps.execution.cleanup.confirm_end import EndNotConfirmed, confirm_ended
from apps.execution.engine.host_check import check_host
from apps.execution.engine.run_driver import RunDriver
from apps.execution.runtime.database import is_away, run_in_thread
from apps.execution.runtime.hosts import HostClients
from apps.execution.runtime.log_throttle import LogThrottle
from apps.execution.selectors.work import (
    hosts_to_check,
    hosts_to_confirm,
    runs_to_start,
    runs_without_worker,
)
from apps.runs.models import Heartbeat
from apps.runs.selectors.heartbeats import INTERVAL_SECONDS
from apps.runs.services.heartbeats import heartbeat_end, heartbeat_record
from apps.runs.services.leases import run_lease, run_try_start
from apps.tools.messages import message

log = logging.getLogger(__name__)

# Consecutive defects of benchlab after which a run ends as failed.
MAX_DEFECTS = 4
HostWork = Callable[[HostClients, int], Awaitable[None]]
# Seconds until a failed check of a host is retried.
HOST_RETRY_DELAY = 15.0
# Seconds for releasing runs when the engine ends.
SHUTDOWN_TIMEOUT = 5.0


class Reconciler:
    """Created and called in the event loop that runs `main`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._wake, self._stopping = asyncio.Event(), asyncio.Event()
        self._drivers: dict[int, RunDriver] = {}
        self._hosts_busy: set[str] = set()
        self._not_before: dict[str, float] = {}
        self._defects: dict[int, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._log_throttle = LogThrottle(log)
        self._heartbeat_at = -INTERVAL_SECONDS
        self._hinted: set[int] = set()
        self._sweep_at = 0.0

    def stop(self) -> None:
        """Release all runs and end."""
        self._stopping.set()
        self._wake.set()

    def hinted(self, run_id: int | None) -> None:
        """Reconcile this run now, or everything."""
        if run_id is None:
            self._sweep_now()
            return
        self._hinted.add(run_id)
        self._wake.set()

    def _sweep_now(self) -> None:
        self._sweep_at = 0.0
        self._wake.set()

    async def main(self) -> None:
        """Sweep until `stop` is called."""
        self._host_clients, self._live = HostClients(), LivePublisher()
        log.info("engine %s sweeps every %s s", self.name, settings.BENCHLAB_RECONCILE_SECONDS)
        try:
            while not self._stopping.is_set():
                self._wake.clear()
                await self._follow_hints()
                if time.monotonic() >= self._sweep_at:
                    self._sweep_at = math.inf
                    await self._sweep()
                    due = time.monotonic() + settings.BENCHLAB_RECONCILE_SECONDS
                    self._sweep_at = min(self._sweep_at, due)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(max(0.0, self._sweep_at - time.monotonic())):
                        await self._wake.wait()
        finally:
            await self._close()

    async def _sweep(self) -> None:
        await self._each("runs without a worker", runs_without_worker, self._take_over)
        await self._each("queued runs", runs_to_start, self._start)
        await self._each("hosts to check", hosts_to_check, self._check)
        await self._each("tests that were given up", hosts_to_confirm, self._confirm_end)
        if time.monotonic() - self._heartbeat_at >= INTERVAL_SECONDS:
            await self._heartbeat()

    async def _each(
        self, what: str, look: Callable[[], list[int]], take: Callable[[int], Awaitable[None]]
    ) -> None:
        """Process the results of a query in order; an error of one does not stop the others."""
        about = f"looking for {what}"
        try:
            result = await run_in_thread(look)
            self._log_throttle.reset(about)
        except Exception as error:
            self._log_error(about, error)
            return
        for number in result:
            await self._one(f"{about}, {number}", take, number)

    async def _one(self, about: str, take: Callable[[int], Awaitable[None]], number: int) -> None:
        try:
            await take(number)
            self._log_throttle.reset(about)
        except Exception as error:
            self._log_error(about, error)

    def _log_error(self, about: str, error: Exception) -> None:
        known = is_away(error) or isinstance(error, EndNotConfirmed)
        level = logging.WARNING if known else logging.ERROR
        self._log_throttle.log(about, error, level=level)

    async def _follow_hints(self) -> None:
        """Start the runs of hints; wake those that are driven already."""
        hinted, self._hinted = self._hinted, set()
        for run_id in sorted(hinted):
            driver = self._drivers.get(run_id)
            if driver is not None:
                driver.look()
            else:
                await self._one(f"starting run {run_id} at a hint", self._start, run_id)

    async def _take_over(self, run_id: int) -> None:
        fence = await run_in_thread(run_lease, run_id=run_id, worker=self.name)
        self._drive(run_id, fence, is_new=False)

    async def _start(self, run_id: int) -> None:
        fence = await run_in_thread(run_try_start, run_id=run_id, worker=self.name)
        self._drive(run_id, fence, is_new=True)

    async def _heartbeat(self) -> None:
        try:
            await run_in_thread(heartbeat_record, Heartbeat.Component.ENGINE, self.name)
            self._heartbeat_at = time.monotonic()
        except Exception as error:
            self._log_error("noting that the engine is alive", error)

    def _drive(self, run_id: int, fence: int | None, *, is_new: bool) -> None:
        if fence is None:
            return
        driver = RunDriver(run_id, fence, self._host_clients, self._live, is_new=is_new)
        self._drivers[run_id] = driver
        self._spawn(self._drive_to_end(run_id, driver))

    async def _drive_to_end(self, run_id: int, driver: RunDriver) -> None:
        try:
            await driver.drive()
            self._defects.pop(run_id, None)
        except Exception as error:
            await self._stopped_by(error, run_id, driver)
        finally:
            if self._drivers.get(run_id) is driver:
                del self._drivers[run_id]
            self._sweep_now()

    async def _stopped_by(self, error: Exception, run_id: int, driver: RunDriver) -> None:
        """Handle an error of a run; its lease expires, and a sweep retries the run.

        The number of defects is limited; an unavailable database is retried without limit.
        """
        if is_away(error):
            log.warning("run %s waits for the database: %s", run_id, error)
            return
        log.error("driving run %s failed", run_id, exc_info=error)
        self._defects[run_id] = self._defects.get(run_id, 0) + 1
        if self._defects[run_id] >= MAX_DEFECTS:
            try:
                why = message("benchlab itself failed: %(why)s; please report it", why=repr(error))
                await driver.abort(why)
            except Exception:
                log.exception("run %s could not be ended either", run_id)

    async def _check(self, host_id: int) -> None:
        self._start_host_work("checking host", check_host, host_id)

    async def _confirm_end(self, host_id: int) -> None:
        self._start_host_work("ending given-up tests of host", confirm_ended, host_id)

    def _start_host_work(self, what: str, look: HostWork, host_id: int) -> None:
        """Start work on a host as a task, unless the same work runs or waits for its retry."""
        about = f"{what} {host_id}"
        if about not in self._hosts_busy and time.monotonic() >= self._not_before.get(about, 0.0):
            self._hosts_busy.add(about)
            self._spawn(self._host_work(about, look, host_id))

    async def _host_work(self, about: str, look: HostWork, host_id: int) -> None:
        try:
            await look(self._host_clients, host_id)
            self._log_throttle.reset(about)
            self._not_before.pop(about, None)
        except Exception as error:
            self._log_error(about, error)
            self._not_before[about] = time.monotonic() + HOST_RETRY_DELAY
        finally:
            self._hosts_busy.discard(about)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _close(self) -> None:
        drivers = list(self._drivers.values())
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # An unavailable database must not block the shutdown: leases expire.
        with contextlib.suppress(TimeoutError, DatabaseError):
            async with asyncio.timeout(SHUTDOWN_TIMEOUT):
                for driver in drivers:
                    await driver.hand_over()
                await run_in_thread(heartbeat_end, Heartbeat.Component.ENGINE, self.name)
        await self._host_clients.close()
        await self._live.close()
