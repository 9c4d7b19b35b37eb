"""End abandoned attempts when their host responds again, and confirm their end."""

from __future__ import annotations

import contextlib

from apps.execution.runtime.database import run_in_thread, run_until_available
from apps.execution.runtime.hosts import HostClients
from apps.execution.selectors.work import unconfirmed_on
from apps.remote.client import Client
from apps.remote.errors import HostError
from apps.runs.services.abandonment import abandoned_confirm


class EndNotConfirmed(Exception):
    """The host does not respond as expected; it is retried later."""


async def confirm_ended(host_clients: HostClients, host_id: int) -> None:
    """End abandoned jobs on the host.

    Raises:
        EndNotConfirmed: the host does not respond.
    """
    rows = await run_in_thread(unconfirmed_on, host_id)
    try:
        client = await host_clients.client(host_id, started=True)
        for row in rows:
            ends = [await _end(client, job) for job in row.jobs]
            if all(ends):
                await run_until_available(abandoned_confirm, row)
    except HostError as error:
        raise EndNotConfirmed(error.message) from error


async def _end(client: Client, job: str) -> bool:
    """Cancel a job, restore its settings and delete it; return False if it still runs."""
    status = await client.cancel(job)
    if not (status.ended or status.state == "absent"):
        return False
    with contextlib.suppress(HostError):  # the next run on the host cleans up the rest
        await client.restore_settings([job])
        await client.delete_job(job)
    return True
