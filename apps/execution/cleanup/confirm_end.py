"""Tests that people gave up on: when their host is seen again they are ended there, and the end is
proven.
"""

from __future__ import annotations

import contextlib

from apps.execution.runtime.database import run_in_thread, run_until_available
from apps.execution.runtime.hosts import HostClients
from apps.execution.selectors.work import unconfirmed_on
from apps.remote.client import Client
from apps.remote.errors import HostError
from apps.runs.services.abandonment import given_up_proven


class EndNotConfirmed(Exception):
    """The host does not answer, or not as it should; it is asked again later."""


async def confirm_ended(host_clients: HostClients, host_id: int) -> None:
    """End what may still run on the host. Raises NotProven where it does not answer."""
    rows = await run_in_thread(unconfirmed_on, host_id)
    try:
        client = await host_clients.client(host_id, started=True)
        for row in rows:
            ends = [await _end(client, job) for job in row.jobs]
            if all(ends):
                await run_until_available(given_up_proven, row)
    except HostError as error:
        raise EndNotConfirmed(error.message) from error


async def _end(client: Client, job: str) -> bool:
    """Whether nothing of the job runs any more; its settings are given back and it is forgotten."""
    status = await client.cancel(job)
    if not (status.ended or status.state == "absent"):
        return False
    with contextlib.suppress(HostError):  # the next run on the host tidies up what this does not
        await client.recover([job])
        await client.forget(job)
    return True
