"""Drive one run under a renewed lease: hosts concurrently, the cases of a host in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from uuid import UUID

from django.conf import settings

from apps.common.logs import about
from apps.execution.attempt.driver import AttemptDriver
from apps.execution.attempt.errors import HostUnusable
from apps.execution.attempt.live_publisher import LivePublisher
from apps.execution.attempt.shared import Shared
from apps.execution.cleanup.carried_settings import OWN_RESTORE_SECONDS, settings_restored
from apps.execution.cleanup.leftovers import directories_cleared, jobs_forgotten
from apps.execution.domain.lease import RunLease, lease_loss_reason
from apps.execution.engine.disk_check import disks_unchanged
from apps.execution.engine.host_queues import HostQueues
from apps.execution.runtime.crash import crash_point
from apps.execution.runtime.database import run_until_available
from apps.execution.runtime.hosts import HostClients
from apps.execution.runtime.tasks import cancel_and_wait, gather_or_cancel, run_unless
from apps.execution.selectors.carried_settings import hosts_left_changed
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
from apps.execution.services.attempts import AttemptOver, RunHeld
from apps.execution.services.attempts_create import OpenedAttempt
from apps.execution.services.preconditioning import case_skip
from apps.execution.services.run_end import (
    case_end_unconfirmed,
    cases_abort,
    run_abort,
    run_close,
    run_go_on,
)
from apps.inventory.services import host_cleanup_pending
from apps.remote.errors import HostError
from apps.runs.models import CaseState, Run, RunState
from apps.runs.selectors.heartbeats import process_name
from apps.runs.services.leases import LeaseLost, run_release, run_renew
from apps.runs.services.pauses import run_pause
from apps.runs.services.stopping_rules import next_decision
from apps.tools.messages import error_message

log = logging.getLogger(__name__)


class RunDriver:
    """Drives one run until it has ended or the lease is lost.

    `is_new`: the run has just left the queue, so its lease is fresh and it is not cancelled.
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
        self._cancelled = self._more_may_follow = False
        self._attempts: set[AttemptDriver] = set()
        # By attempt: set if it was ended elsewhere, so that this worker stops driving it.
        self._over: dict[UUID, asyncio.Event] = {}
        self._hint = asyncio.Event()
        self._preparing: set[int] = set()
        # Why no further case starts, until the running ones have ended.
        self._held = ""

    def look(self) -> None:
        """Renew the lease now, which reads changes of the run."""
        self._hint.set()

    async def drive(self) -> None:
        """Drive the run; returns when it has ended or the lease is lost."""
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
        """Release the lease, so that another worker can continue at once."""
        await run_until_available(run_release, run_id=self.run_id, fence=self._lease.fence)

    async def abort(self, reason: str) -> None:
        """End the run as failed because of a defect of benchlab; its jobs are ended first."""
        renewing = asyncio.create_task(self._keep_lease())
        try:
            await self._abort(reason)
        finally:
            await cancel_and_wait([renewing])

    async def _abort(self, reason: str) -> None:
        unresponsive: set[int] = set()
        for job, host_id in await run_until_available(attempts_on_hosts, self.run_id):
            try:
                await (await self._host_clients.client(host_id, started=True)).cancel(job)
            except HostError as error:
                log.warning("job %s could not be ended: %s", job, error)
                unresponsive.add(host_id)
        try:
            await self._clean_up_at_end()
        except Exception:
            log.exception("hosts of run %s could not be cleaned up", self.run_id)
        with contextlib.suppress(LeaseLost):
            await run_until_available(run_abort, self._lease, reason, unresponsive)

    async def _keep_lease(self) -> None:
        if self._is_new:  # the first attempts need the lock on the row
            await self._until_due()
        while True:
            if await run_until_available(run_renew, run_id=self.run_id, fence=self._lease.fence):
                self._cancel()
            for pk in await run_until_available(attempts_over, list(self._over)):
                self._over[pk].set()
            await self._until_due()

    async def _until_due(self) -> None:
        """Wait for a third of the lease, or a hint."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(settings.BENCHLAB_LEASE_SECONDS / 3):
                await self._hint.wait()
        self._hint.clear()

    def _cancel(self) -> None:
        self._cancelled = True
        for driver in self._attempts:
            driver.cancelled.set()

    async def _work(self) -> None:
        crash_point("run-started")
        work = await run_until_available(run_work, self.run_id)
        self._preparing, self._more_may_follow = work.preparing, work.more_may_follow
        await self._run_cases(HostQueues(work.cases))
        while not self._held and self._more_may_follow and await self._more():
            cases = await run_until_available(cases_to_do, self.run_id)
            await self._run_cases(HostQueues(cases))
        if self._held and await self._pause():
            return
        # An earlier worker may have died before it cleaned up.
        await self._clean_up_at_end(every_host=self._more_may_follow)
        state = await run_until_available(run_close, self._lease)
        crash_point("run-finished")
        await self._live.publish(self.run_id, "state", {"run": state})
        if state == RunState.RUNNING:
            log.error("run %s still has open cases after all queues ended", self.run_id)

    async def _pause(self) -> bool:
        """Clean up all hosts and queue the run again; return False if it goes on or ends."""
        await self._clean_up_at_end(every_host=True)
        lease = self._lease
        paused = await run_until_available(
            run_pause, run_id=lease.run_id, fence=lease.fence, reason=self._held
        )
        if paused:
            await self._live.publish(self.run_id, "state", {"run": RunState.QUEUED})
        return paused

    async def _more(self) -> bool:
        """Apply the stopping rules; return True if they added cases."""
        outcome = await run_until_available(next_decision, self.run_id)
        crash_point("block-asked")
        more = await run_until_available(run_go_on, self._lease, outcome)
        if more:
            crash_point("block-added")
        return more

    async def _run_cases(self, queues: HostQueues) -> None:
        """Run every case; the first error cancels the others and is raised unchanged."""
        tasks: set[asyncio.Task[None]] = set()
        try:
            self._start(queues, tasks)
            while tasks:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                tasks -= done
                for task in done:
                    task.result()
                self._start(queues, tasks)
        finally:
            await cancel_and_wait(tasks)

    def _start(self, queues: HostQueues, tasks: set[asyncio.Task[None]]) -> None:
        if self._held and not self._cancelled:
            return
        tasks.update(asyncio.create_task(self._turn(queues, case)) for case in queues.start())

    async def _turn(self, queues: HostQueues, case_id: int) -> None:
        """Run one case; clean up the hosts for which it was the last one."""
        finished: list[int] = []
        try:
            due = not self._cancelled or await run_until_available(case_is_open, case_id)
            if due and await self._case(case_id) == CaseState.PENDING:
                queues.again(case_id)
                return
        except AttemptOver:
            log.info("case %s was ended meanwhile", case_id)
        except RunHeld as error:
            log.info("run %s starts no further case: %s", self.run_id, error)
            self._held = error_message(error)
            return
        except HostError as error:
            # An error of the host ends its case only.
            await run_until_available(case_end_unconfirmed, self._lease, case_id, error.message)
        except HostUnusable as error:
            host = error.host_id
            await run_until_available(cases_abort, self._lease, host, str(error))
            finished += queues.drop_host(host)
        finished += queues.done(case_id)
        # If more cases may follow, hosts are cleaned up at the end of the run.
        for host_id in () if self._more_may_follow else finished:
            await self._clean_up(host_id)

    async def _clean_up_at_end(self, *, every_host: bool = False) -> None:
        """Those that may have settings left have time to restore them."""
        left = await run_until_available(hosts_left_changed, self.run_id)
        hosts = await run_until_available(hosts_of_run, self.run_id) if every_host else left
        times = {host_id: OWN_RESTORE_SECONDS if host_id in left else 0.0 for host_id in hosts}
        await gather_or_cancel(self._clean_up(*row) for row in times.items())

    async def _clean_up(self, host_id: int, timeout: float = 0.0) -> None:
        """Remove job folders and test files from the host, and restore its settings.

        A host without contact is retried for `timeout` seconds; then its checks retry it.
        """
        directories = await run_until_available(scratch_of, self.run_id, host_id)
        try:
            client = await self._host_clients.client(host_id, started=True)
            # First, because a job with an open journal is not deleted.
            restored = await settings_restored(client, timeout)
            works = directories_cleared(client, directories), jobs_forgotten(client, host_id)
            if all(await gather_or_cancel(works)) and restored:
                return
        except HostError as error:
            log.info("host %s keeps something of run %s for now: %s", host_id, self.run_id, error)
        await run_until_available(host_cleanup_pending, host_id=host_id)

    async def _case(self, case_id: int) -> str:
        """Return the state of the case; it is pending if it is measured again."""
        if case_id in self._preparing and await self._is_prepared(case_id):
            return CaseState.SKIPPED
        opened = await self._opened(case_id)
        attempt = opened.attempt
        crash_point("attempt-opened")
        driver = AttemptDriver(opened, self._lease, self._host_clients, self._live, self._shared)
        self._attempts.add(driver)
        over = self._over[attempt.pk] = asyncio.Event()
        if self._cancelled:
            driver.cancelled.set()
        try:
            with about(attempt=str(attempt.pk)):
                await run_unless(over, driver.drive())
        finally:
            self._attempts.discard(driver)
            del self._over[attempt.pk]
        return driver.attempt.case.state

    async def _is_prepared(self, case_id: int) -> bool:
        """Skip a preconditioning case if its disks are in that state already; return True then."""
        known = await run_until_available(already_preconditioned, case_id)
        if not known or not await disks_unchanged(self._host_clients, known):
            return False
        await run_until_available(case_skip, self._lease, case_id, known)
        return True

    async def _opened(self, case_id: int) -> OpenedAttempt:
        """Return the attempt of the case, once no abandoned attempt of the run uses its hosts."""
        while (opened := await self._shared.creation.do(case_id)) is None:
            await asyncio.sleep(1.0)
        return opened
