"""Settings that restart daemons, from one attempt of a run to the next."""

from __future__ import annotations

import asyncio
import logging

from apps.execution.attempt.driven_job import Stopped
from apps.execution.attempt.stage import REACH_TIMEOUT_SECONDS
from apps.execution.cleanup.carried_settings import carried_restored, taken_over_deleted
from apps.execution.domain.messages import NEVER_STARTED
from apps.execution.runtime.database import run_until_available
from apps.execution.runtime.hosts import HostClients
from apps.execution.selectors.carried_settings import (
    carried_before,
    next_shares_settings,
)
from apps.remote.errors import HostError
from apps.runs.models import Attempt, AttemptState, FailureCause

log = logging.getLogger(__name__)


async def is_carried_over(attempt: Attempt) -> bool:
    """Return True if the hosts leave the attempt's settings for the next one."""
    return not attempt.early_end and await run_until_available(next_shares_settings, attempt)


async def earlier_restored(
    host_clients: HostClients, attempt: Attempt, cancelled: asyncio.Event, resumed: bool
) -> None:
    """Wait until no host is under settings that another attempt of the run left.

    `resumed`: an earlier worker may have launched jobs, which must be ended, so there is no limit.

    Raises:
        Stopped: a host did not confirm it, so that nothing may be measured.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + REACH_TIMEOUT_SECONDS
    left = await run_until_available(carried_before, attempt)
    while left.foreign and not (resumed and cancelled.is_set()):
        try:
            await carried_restored(host_clients, left.foreign)
            break
        except HostError as error:
            log.info("attempt %s waits for a restore: %s", attempt.pk, error)
            if cancelled.is_set() and not resumed:
                raise Stopped(AttemptState.CANCELLED, NEVER_STARTED) from error
            if loop.time() > deadline and not resumed:
                state = AttemptState.FAILED
                raise Stopped(state, error.message, FailureCause.HOST) from error
            await asyncio.sleep(1.0)
            left = await run_until_available(carried_before, attempt)
    await taken_over_deleted(host_clients, left.taken_over)
