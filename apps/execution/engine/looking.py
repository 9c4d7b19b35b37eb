"""A look at disks on their hosts: whether they are as our last test left them."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from apps.execution.preparing import DiskInState
from apps.execution.runtime.hosts import HostClients
from apps.remote.errors import AgentRefusal, HostError

log = logging.getLogger(__name__)


async def look_as_left(host_clients: HostClients, disks: Sequence[DiskInState]) -> bool:
    """Whether samples of all these disks are as they were left. A host that does not answer says
    nothing: the test that would have been left out finds out why.
    """
    try:
        return all([await _as_left(host_clients, disk) for disk in disks])
    except (HostError, AgentRefusal) as error:
        log.info("disks that are known to be prepared were not looked at: %s", error)
        return False


async def _as_left(host_clients: HostClients, disk: DiskInState) -> bool:
    client = await host_clients.client(disk.host_id)
    left = disk.fingerprint
    seen = await client.inspect(disk.identity, write=False, fingerprint=left)
    looked = seen.fingerprint is not None and seen.size == left["size"]
    return looked and not seen.content and not seen.refusals
