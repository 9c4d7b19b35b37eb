"""Compare the content of disks on their hosts with the stored fingerprints."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from apps.execution.runtime.database import run_until_available
from apps.execution.runtime.hosts import HostClients
from apps.execution.selectors.disks import enrolled_disks
from apps.execution.selectors.leftovers import is_claimed
from apps.execution.selectors.preconditioning import DiskInState
from apps.inventory.services import disk_content_seen
from apps.remote.client import Client
from apps.remote.errors import AgentCommandError, HostError, InvalidResponse

log = logging.getLogger(__name__)


async def disks_unchanged(host_clients: HostClients, disks: Sequence[DiskInState]) -> bool:
    """Return True if samples of all these disks match their fingerprints.

    False for an unresponsive host: the case that would be skipped then reports why.
    """
    try:
        return all([await _is_unchanged(host_clients, disk) for disk in disks])
    except (HostError, AgentCommandError) as error:
        log.info("disks that are known to be prepared were not looked at: %s", error)
        return False


async def _is_unchanged(host_clients: HostClients, disk: DiskInState) -> bool:
    client = await host_clients.client(disk.host_id)
    expected = disk.fingerprint
    seen = await client.inspect(disk.identity, write=False, fingerprint=expected)
    is_read = seen.fingerprint is not None and seen.size == expected["size"]
    return is_read and not seen.content and not seen.refusals


async def disk_contents_check(client: Client, host_id: int) -> None:
    """Compare the enrolled disks of a host with their fingerprints, unless a run claims it.

    Raises:
        HostError: contact was lost.
    """
    if await run_until_available(is_claimed, host_id):
        return
    for disk in await run_until_available(enrolled_disks, host_id):
        before = disk.fingerprint
        try:
            seen = await client.inspect(disk.identity, write=False, fingerprint=before)
        except (AgentCommandError, InvalidResponse) as error:
            log.warning("%s could not be looked at: %s", disk, error)
            continue
        if await run_until_available(is_claimed, host_id):
            return
        await run_until_available(
            disk_content_seen,
            disk=disk,
            before=before,
            reported=seen.fingerprint,
            reasons=seen.content,
        )
