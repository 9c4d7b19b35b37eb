"""Driving one run: its hosts side by side, each host's cases one after another, a case of several
hosts when it is the turn of all of them; under a lease that is renewed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from uuid import UUID

from django.conf import settings

from apps.common.logs import about
from apps.execution.attempt.driver import AttemptDriver, HostUnusable
from apps.execution.attempt.live_publisher import LivePublisher
from apps.execution.attempt.shared import Shared
from apps.execution.cleanup.leftovers import directories_cleared, jobs_forgotten
from apps.execution.domain.lease import RunLease, lease_loss_reason
from apps.execution.engine.disk_check import disks_unchanged
from apps.execution.engine.host_queues import HostQueues
from apps.execution.runtime.crash import crash_point
from apps.execution.runtime.database import run_until_available
from apps.execution.runtime.hosts import HostClients
from apps.execution.runtime.tasks import cancel_and_wait, gather_or_cancel, run_unless
from apps.execution.selectors.leftovers import scratch_of
from apps.execution.selectors.preconditioning import already_preconditioned
from apps.execution.selectors.runs import (
    case_is_open,
    cases_to_do,
    hosts_of_run,
    lease_row,
    run_work,
)
from apps.execution.selectors.work import attempts_on_hosts, attempts_over
from apps.execution.services.attempts import AttemptOver
from apps.execution.services.attempts_create import OpenedAttempt
from apps.execution.services.preconditioning import case_skip
from apps.execution.services.runs import (
    case_end_unconfirmed,
    cases_give_up,
    run_close,
    run_give_up,
    run_go_on,
)
from apps.inventory.services import host_cleanup_pending
from apps.remote.client import Client
from apps.remote.errors import HostError
from apps.runs.models import Run, RunState
from apps.runs.selectors.heartbeats import process_name
from apps.runs.services.leases import LeaseLost, run_release, run_renew
from apps.runs.services.stopping_rules import next_asked

log = logging.getLogger(__name__)


class RunDriver:
    """One run in the hands of this worker, until it has ended or another worker took it over.
    `is_new`: it was taken from the queue a moment ago, so its lease is fresh and nobody has asked
    for its end.
    """

    def __init__(
        self,
        run_id: int,
        fence: int,
        host_clients: HostClients,
        live: LivePublisher,
        *,
        is_new: bool = False,
    ) -> None:
        self.run_id = run_id
        self._lease = RunLease(run_id, fence)
        self._shared = Shared(self._lease)
        self._host_clients, self._live = host_clients, live
        self._is_new = is_new
        self._cancelled = False
        self._more_may_follow = False
        self._attempts: set[AttemptDriver] = set()
        # Of every attempt under way: somebody ended it, so this worker lets go of it.
        self._over: dict[UUID, asyncio.Event] = {}
        self._hint = asyncio.Event()
        self._preparing: set[int] = set()

    def look(self) -> None:
        """Somebody changed something about this run; look at it now rather than at the next
        renewal.
        """
        self._hint.set()

    async def drive(self) -> None:
        """Do all there is to do. Returns when the run has ended, or is another worker's now."""
        with about(run=self.run_id):
            await self._drive()

    async def _drive(self) -> None:
        renewing = asyncio.create_task(self._keep_lease())
        working = asyncio.create_task(self._work())
        try:
            await asyncio.wait((renewing, working), return_when=asyncio.FIRST_COMPLETED)
            await (working if working.done() else renewing)
        except (LeaseLost, Run.DoesNotExist):  # also a database restored to before the run
            row = await run_until_available(lease_row, self.run_id)
            reason = lease_loss_reason(self._lease, row, process_name())
            log.warning("run %s is no longer driven here: %s", self.run_id, reason)
        finally:
            for task in (renewing, working):
                task.cancel()
            await asyncio.gather(renewing, working, return_exceptions=True)

    async def hand_over(self) -> None:
        """An orderly stop of this worker: the next one may go on at once."""
        await run_until_available(run_release, run_id=self.run_id, fence=self._lease.fence)

    async def give_up(self, reason: str) -> None:
        """End the run as failed by benchlab's own fault; what still runs on a host is ended
        first.
        """
        unproven: set[int] = set()
        for job, host_id in await run_until_available(attempts_on_hosts, self.run_id):
            try:
                await (await self._host_clients.client(host_id, started=True)).cancel(job)
            except HostError as error:
                log.warning("job %s could not be ended: %s", job, error)
                unproven.add(host_id)
        with contextlib.suppress(LeaseLost):
            await run_until_available(run_give_up, self._lease, reason, unproven)

    async def _keep_lease(self) -> None:
        if self._is_new:  # the row is needed for the first attempts
            await self._until_due()
        while True:
            if await run_until_available(run_renew, run_id=self.run_id, fence=self._lease.fence):
                self._cancel()
            for pk in await run_until_available(attempts_over, list(self._over)):
                self._over[pk].set()
            await self._until_due()

    async def _until_due(self) -> None:
        """Until the lease should be renewed, or somebody changed something about the run."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(settings.BENCHLAB_LEASE_SECONDS / 3):
                await self._hint.wait()
        self._hint.clear()

    def _cancel(self) -> None:
        self._cancelled = True
        for attempting in self._attempts:
            attempting.cancelled.set()

    async def _work(self) -> None:
        crash_point("run-started")
        work = await run_until_available(run_work, self.run_id)
        self._preparing, self._more_may_follow = work.preparing, work.more_may_follow
        await self._lanes_to_their_ends(HostQueues(work.cases))
        while self._more_may_follow and await self._more():
            cases = await run_until_available(cases_to_do, self.run_id)
            await self._lanes_to_their_ends(HostQueues(cases))
        if self._more_may_follow:
            for host_id in await run_until_available(hosts_of_run, self.run_id):
                await self._tidy(host_id)
        state = await run_until_available(run_close, self._lease)
        crash_point("run-finished")
        await self._live.publish(self.run_id, "state", {"run": state})
        if state == RunState.RUNNING:
            log.error("run %s still has open cases after all lanes ended", self.run_id)

    async def _more(self) -> bool:
        """Whether the run's rules have given it more cases."""
        asked = await run_until_available(next_asked, self.run_id)
        crash_point("block-asked")
        more = await run_until_available(run_go_on, self._lease, asked)
        if more:
            crash_point("block-added")
        return more

    async def _lanes_to_their_ends(self, lanes: HostQueues) -> None:
        """Every case when its hosts are free, every host left tidy after its last one; the first
        error ends the others and is raised as it is.
        """
        tasks: set[asyncio.Task[None]] = set()
        try:
            self._start(lanes, tasks)
            while tasks:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                tasks -= done
                for task in done:
                    task.result()
                self._start(lanes, tasks)
        finally:
            await cancel_and_wait(tasks)

    def _start(self, lanes: HostQueues, tasks: set[asyncio.Task[None]]) -> None:
        tasks.update(asyncio.create_task(self._turn(lanes, case)) for case in lanes.start())

    async def _turn(self, lanes: HostQueues, case_id: int) -> None:
        """One case, and what its hosts are left with when it was their last one."""
        finished: list[int] = []
        try:
            if not self._cancelled or await run_until_available(case_is_open, case_id):
                await self._case(case_id)
        except AttemptOver:
            log.info("case %s was ended by somebody", case_id)
        except HostError as error:
            # The host's trouble, not ours: its case ends, the others go on.
            await run_until_available(case_end_unconfirmed, self._lease, case_id, error.message)
        except HostUnusable as error:
            host = error.host_id
            await run_until_available(cases_give_up, self._lease, host, str(error))
            finished += lanes.give_up(host)
        finished += lanes.done(case_id)
        # Where more cases may follow, hosts are tidied when none does.
        for host_id in () if self._more_may_follow else finished:
            await self._tidy(host_id)

    async def _tidy(self, host_id: int) -> None:
        """Leave the host as it was found: no job folders, no test files in scratch directories, no
        settings on loan. Where that fails it is tried again with the host's checks.
        """
        directories = await run_until_available(scratch_of, self.run_id, host_id)
        try:
            client = await self._host_clients.client(host_id)
            works = (
                _all_given_back(client),
                directories_cleared(client, directories),
                jobs_forgotten(client, host_id),
            )
            if all(await gather_or_cancel(works)):
                return
        except HostError as error:
            log.info("host %s keeps something of run %s for now: %s", host_id, self.run_id, error)
        await run_until_available(host_cleanup_pending, host_id=host_id)

    async def _case(self, case_id: int) -> None:
        if case_id in self._preparing and await self._is_prepared(case_id):
            return
        opened = await self._opened(case_id)
        attempt = opened.attempt
        crash_point("attempt-opened")
        attempting = AttemptDriver(
            opened, self._lease, self._host_clients, self._live, self._shared
        )
        self._attempts.add(attempting)
        over = self._over[attempt.pk] = asyncio.Event()
        if self._cancelled:
            attempting.cancelled.set()
        try:
            with about(attempt=str(attempt.pk)):
                await run_unless(over, attempting.drive())
        finally:
            self._attempts.discard(attempting)
            del self._over[attempt.pk]

    async def _is_prepared(self, case_id: int) -> bool:
        """Whether the case need not be run, as its disks are known to be in that state and look
        like it on their hosts; it is closed then.
        """
        known = await run_until_available(already_preconditioned, case_id)
        if not known or not await disks_unchanged(self._host_clients, known):
            return False
        await run_until_available(case_skip, self._lease, case_id, known)
        return True

    async def _opened(self, case_id: int) -> OpenedAttempt:
        """Its attempt, as soon as no test of this run that was given up can be at work on its
        hosts.
        """
        while (opened := await self._shared.opening.do(case_id)) is None:
            await asyncio.sleep(1.0)
        return opened


async def _all_given_back(client: Client) -> bool:
    """Have every loan given back that can be; whether none is open after it."""
    return not (await client.recover()).open
