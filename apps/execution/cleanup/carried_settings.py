"""Restore settings that an attempt left in force for the next one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from apps.execution.jobs.commands import JOB_LEASE_SECONDS
from apps.execution.runtime.database import run_until_available
from apps.execution.runtime.hosts import HostClients
from apps.execution.runtime.tasks import gather_or_cancel
from apps.execution.selectors.carried_settings import CarriedSettings
from apps.execution.services.attempt_jobs import leftover_cleared
from apps.remote.client import Client
from apps.remote.errors import AgentCommandError, HostError
from apps.tools.messages import message

RETRY_DELAY = 1.0
log = logging.getLogger(__name__)

# Seconds of a restore that restarts nothing.
QUICK_RESTORE_SECONDS = 120.0
# Seconds of a restore: each daemon of the host restarts, and the cluster becomes healthy again.
RESTORE_SECONDS = 1800.0
# Seconds after which a host without contact has restored carried settings by itself.
OWN_RESTORE_SECONDS = JOB_LEASE_SECONDS + 120.0


async def settings_restored(client: Client, timeout: float = 0.0) -> bool:
    """Restore all settings of the host; return False if one is left.

    `timeout`: daemons may have to restart, and a host without contact is retried so many seconds.

    Raises:
        HostError: contact was lost.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout
    seconds = RESTORE_SECONDS if timeout else QUICK_RESTORE_SECONDS
    while True:
        try:
            return not (await client.restore_settings(seconds=seconds)).open
        except HostError as error:
            if loop.time() >= deadline:
                raise
            log.info("settings of a host are not restored yet: %s", error)
            await asyncio.sleep(RETRY_DELAY)


async def carried_restored(host_clients: HostClients, rows: Sequence[CarriedSettings]) -> None:
    """Restore these settings, and delete their jobs on the hosts.

    Raises:
        HostError: a host did not confirm it.
    """
    await gather_or_cancel(_restored(host_clients, row) for row in rows)


async def _restored(host_clients: HostClients, row: CarriedSettings) -> None:
    client = await host_clients.client(row.host_id, started=True)
    answer = await client.restore_settings([row.job], seconds=RESTORE_SECONDS)
    if answer.open or answer.busy:
        text = message(
            "%(host)s still has settings of the test before; nothing was run", host=row.host_name
        )
        raise HostError("busy", text)
    if row.confirmed:
        await _deleted(client, row)


async def taken_over_deleted(host_clients: HostClients, rows: Sequence[CarriedSettings]) -> None:
    """Delete jobs whose settings a later one has taken over; what fails is left for the cleanup."""
    for row in rows:
        try:
            await _deleted(await host_clients.client(row.host_id, started=True), row)
        except HostError as error:
            log.info("job %s stays on its host for now: %s", row.job, error)


async def _deleted(client: Client, row: CarriedSettings) -> None:
    try:
        await client.delete_job(row.job)
    except AgentCommandError as error:
        if error.error != "absent":
            raise
    await run_until_available(leftover_cleared, row.job)
