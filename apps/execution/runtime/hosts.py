"""Clients for the hosts of the worker."""

from __future__ import annotations

from apps.execution.runtime.database import run_until_available
from apps.execution.selectors.hosts import host_with_connection
from apps.execution.services.host_facts import host_facts_store
from apps.inventory.models import HostFacts
from apps.inventory.selectors.inventory import host_spec
from apps.remote.client import Client
from apps.remote.connection import HostSpec
from apps.remote.errors import HostError
from apps.remote.pool import Sessions
from apps.tools.messages import message
from apps.tools.registry import programs


class HostClients:
    """Clients by host id over one pool of sessions; a changed host gets a new connection."""

    def __init__(self) -> None:
        self.sessions = Sessions()

    async def client(self, host_id: int, *, started: bool = False) -> Client:
        """Return a client for the host as stored now.

        A disabled host is allowed if a job was `started` on it.

        Raises:
            HostError: the host is disabled.
        """
        host = await run_until_available(host_with_connection, host_id)
        if not host.enabled and not started:
            why = message("%(host)s is disabled in benchlab.", host=host.name)
            raise HostError("unreachable", why)
        return Client.of(self.sessions, host_id, await run_until_available(host_spec, host))

    def client_with(self, host_id: int, spec: HostSpec) -> Client:
        """Return a client for the host with connection data that the caller has read."""
        return Client.of(self.sessions, host_id, spec)

    async def close(self) -> None:
        """Close every session; jobs on the hosts continue."""
        await self.sessions.close()


async def facts_fresh(client: Client, host_id: int) -> HostFacts:
    """Collect the facts of the host, store them, and return the row for attempts."""
    data = await client.facts(programs())
    return await run_until_available(host_facts_store, host_id, data)
