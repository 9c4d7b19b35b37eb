"""Driving one run: its hosts side by side, each host's cases one after another, under a lease that
is renewed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Iterator
from typing import Any

from django.conf import settings

from apps.execution import services
from apps.execution.attempt import Attempting, HostUnusable
from apps.execution.crash import crash_point
from apps.execution.database import patiently
from apps.execution.hosts import HostBook
from apps.execution.live import Live
from apps.execution.selectors import attempts_on_hosts, leftovers
from apps.remote.errors import AgentRefusal, HostError
from apps.runs.leases import Overtaken, run_release, run_renew
from apps.runs.models import RunState

log = logging.getLogger(__name__)


@contextlib.contextmanager
def _unless_absent() -> Iterator[None]:
    """What the host no longer knows is as good as forgotten."""
    try:
        yield
    except AgentRefusal as error:
        if error.error != "absent":
            raise


class Running:
    """One run in the hands of this worker, until it has ended or another worker took it over."""

    def __init__(self, run_id: int, fence: int, book: HostBook, live: Live) -> None:
        self.run_id = run_id
        self._hold = services.Hold(run_id, fence)
        self._book, self._live = book, live
        self._cancelled = False
        self._attempts: set[Attempting] = set()
        self._hint = asyncio.Event()

    def look(self) -> None:
        """Somebody changed something about this run; look at it now rather than at the next
        renewal.
        """
        self._hint.set()

    async def drive(self) -> None:
        """Do all there is to do. Returns when the run has ended, or is another worker's now."""
        renewing = asyncio.create_task(self._keep_lease())
        working = asyncio.create_task(self._work())
        try:
            await asyncio.wait((renewing, working), return_when=asyncio.FIRST_COMPLETED)
            await (working if working.done() else renewing)
        except Overtaken:
            log.warning("run %s was taken over by another worker", self.run_id)
        finally:
            for task in (renewing, working):
                task.cancel()
            await asyncio.gather(renewing, working, return_exceptions=True)

    async def hand_over(self) -> None:
        """An orderly stop of this worker: the next one may go on at once."""
        await patiently(run_release, run_id=self.run_id, fence=self._hold.fence)

    async def give_up(self, reason: str) -> None:
        """End the run as failed by benchlab's own fault; what still runs on a host is ended
        first.
        """
        for attempt_id, host_id in await patiently(attempts_on_hosts, self.run_id):
            try:
                await (await self._book.client(host_id)).cancel(attempt_id)
            except HostError as error:
                log.warning("attempt %s could not be ended: %s", attempt_id, error)
        with contextlib.suppress(Overtaken):
            await patiently(services.run_give_up, self._hold, reason)

    async def _keep_lease(self) -> None:
        while True:
            if await patiently(run_renew, run_id=self.run_id, fence=self._hold.fence):
                self._cancel()
            try:
                await asyncio.wait_for(self._hint.wait(), settings.BENCHLAB_LEASE_SECONDS / 3)
            except TimeoutError:
                continue
            finally:
                self._hint.clear()

    def _cancel(self) -> None:
        self._cancelled = True
        for attempting in self._attempts:
            attempting.cancelled.set()

    async def _work(self) -> None:
        crash_point("run-started")
        lanes = await patiently(services.cases_to_do, self.run_id)
        await self._side_by_side([self._lane(*lane) for lane in lanes.items()])
        state = await patiently(services.run_close, self._hold)
        crash_point("run-finished")
        await self._live.publish(self.run_id, "state", {"run": state})
        if state == RunState.RUNNING:
            log.error("run %s still has open cases after all lanes ended", self.run_id)

    async def _side_by_side(self, lanes: list[Coroutine[Any, Any, None]]) -> None:
        """All lanes to their ends; the first error ends the others and is raised as it is."""
        tasks = [asyncio.create_task(lane) for lane in lanes]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _lane(self, host_id: int, cases: list[int]) -> None:
        await self._cases(host_id, cases)
        await self._tidy(host_id)

    async def _tidy(self, host_id: int) -> None:
        """Leave the host as it was found: no job folders, no test files in scratch directories."""
        attempts, directories = await patiently(leftovers, self.run_id, host_id)
        try:
            client = await self._book.client(host_id)
            for directory in directories:
                await client.tidy(directory)
            for attempt in attempts:
                with _unless_absent():
                    await client.forget(attempt)
                await patiently(services.leftover_cleared, attempt)
        except HostError as error:
            log.info("host %s keeps something of run %s for now: %s", host_id, self.run_id, error)

    async def _cases(self, host_id: int, cases: list[int]) -> None:
        for case_id in cases:
            if self._cancelled and not await patiently(services.case_is_open, case_id):
                continue
            try:
                await self._case(case_id)
            except HostUnusable as error:
                await patiently(services.cases_give_up, self._hold, host_id, str(error))
                return

    async def _case(self, case_id: int) -> None:
        attempt = await patiently(services.attempt_open, self._hold, case_id)
        crash_point("attempt-opened")
        attempting = Attempting(attempt, self._hold, self._book, self._live)
        self._attempts.add(attempting)
        if self._cancelled:
            attempting.cancelled.set()
        try:
            await attempting.drive()
        finally:
            self._attempts.discard(attempting)
