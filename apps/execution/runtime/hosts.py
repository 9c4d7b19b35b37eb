"""The hosts as the engine sees them: a client for each, their facts, and the checks people ask
for.
"""

from __future__ import annotations

import logging

from django.db import DataError

from apps.execution.attempt.contents import contents_seen
from apps.execution.cleanup.leftovers import (
    directories_cleared,
    is_claimed,
    jobs_forgotten,
    loans_placed,
    scratch_on,
)
from apps.execution.runtime.database import run_in_thread, run_until_available
from apps.inventory import services
from apps.inventory.domain.unrestored_settings import unrestored_settings
from apps.inventory.models import Host, HostFacts
from apps.inventory.schemas.host_facts import KnownFacts, known
from apps.inventory.selectors.inventory import host_spec
from apps.remote.answers import ClusterAnswer
from apps.remote.client import Client
from apps.remote.connection import HostSpec
from apps.remote.errors import BadAnswer, HostError
from apps.remote.pool import Sessions
from apps.remote.ssh import scan_host_key
from apps.tools.messages import message
from apps.tools.registry import programs

log = logging.getLogger(__name__)

# Characters kept of what a package manager says.
INSTALL_LOG = 20_000
# What storing an answer of a type that nobody expected raises.
UNUSABLE = (ValueError, TypeError, LookupError, AttributeError, RecursionError, DataError)

NO_CEPH = "ceph is not installed on it."


class HostClients:
    """Clients by host id over one pool of sessions. A changed host entry gives a new connection."""

    def __init__(self) -> None:
        self.sessions = Sessions()

    async def client(self, host_id: int, *, started: bool = False) -> Client:
        """A client for the host as it is entered now. Raises HostError when it may not be used; a
        host on which something was `started` is asked about that although it was disabled since.
        """
        host = await run_until_available(
            Host.objects.select_related("jump", "credential").get, pk=host_id
        )
        if not host.enabled and not started:
            why = message("%(host)s is disabled in benchlab.", host=host.name)
            raise HostError("unreachable", why)
        return Client.of(self.sessions, host_id, await run_until_available(host_spec, host))

    def by(self, host_id: int, spec: HostSpec) -> Client:
        """A client for the host by a way that was read a moment ago."""
        return Client.of(self.sessions, host_id, spec)

    async def close(self) -> None:
        """End every session; what runs on the hosts runs on."""
        await self.sessions.close()


async def facts_fresh(client: Client, host_id: int) -> HostFacts:
    """Ask the host for its facts now and store them; the row an attempt points at."""
    data = await client.facts(programs())
    return await run_until_available(_facts_store, host_id, data)


def _facts_store(host_id: int, data: dict[str, object]) -> HostFacts:
    host = Host.objects.get(pk=host_id)
    try:
        return services.facts_store(host=host, data=data)
    except UNUSABLE as error:
        raise BadAnswer(
            host.name, message("facts that cannot be kept (%(why)s)", why=str(error))
        ) from error


async def check_host(host_clients: HostClients, host_id: int) -> None:
    """Do what was asked for a host: see its key, or connect, install, and collect its facts."""
    host = await run_in_thread(Host.objects.select_related("jump", "credential").get, pk=host_id)
    try:
        if host.kind == Host.Kind.SSH and not host.host_key:
            key = await scan_host_key(await run_in_thread(host_spec, host))
            await run_until_available(services.host_key_offered, host=host, line=key.line)
            return
        if host.health == Host.Health.UNREACHABLE:
            host_clients.sessions.drop(host_id)  # ends the pause after the last failure
        client = await host_clients.client(host_id)
        if host.install_requested:
            await _install(client, host)
        await _measure(client, host)
    except HostError as error:
        log.info("check of %s: %s", host.name, error)
        await run_until_available(
            services.host_check_failed, host=host, kind=error.kind, reason=error.message
        )
    except UNUSABLE as error:
        # Asked again at once it would say the same for ever: somebody has to look.
        log.warning("check of %s: what it says cannot be used", host.name, exc_info=error)
        said = BadAnswer(
            host.name, message("what it says of itself cannot be used (%(why)s)", why=str(error))
        )
        await run_until_available(
            services.host_check_failed, host=host, kind=said.kind, reason=said.message
        )


async def _measure(client: Client, host: Host) -> None:
    pings = [await client.ping() for _ in range(5)]
    best = min(pings, key=lambda ping: ping.seconds)
    told = (await client.recover()).open
    loans = await run_until_available(loans_placed, unrestored_settings(told))
    facts = await client.facts(programs())
    has_ceph = (known(KnownFacts, facts).tools or {}).get("ceph")
    said = await client.cluster() if has_ceph else ClusterAnswer(fsid="", error=NO_CEPH)
    await run_until_available(
        services.host_cluster_store,
        host=host,
        fsid=said.fsid or "",
        error=said.error,
        osds=said.osds,
        restart=said.restart,
    )
    await contents_seen(client, host.pk)
    await run_until_available(
        services.host_check_store,
        host=host,
        facts=facts,
        round_trip_seconds=best.seconds,
        clock_offset=best.clock_offset,
        loans=loans,
        free=best.free,
    )
    if host.cleanup_pending_since:
        await _tidy_up(client, host.pk)


async def _tidy_up(client: Client, host_id: int) -> None:
    """Remove what ended runs could not remove, unless another run is on the host now."""
    if await run_until_available(is_claimed, host_id):
        return
    done = await directories_cleared(client, await run_until_available(scratch_on, host_id))
    if await jobs_forgotten(client, host_id) and done:
        await run_until_available(services.host_cleanup_done, host_id=host_id)


async def _install(client: Client, host: Host) -> None:
    text, code = "", -1
    async for said in client.install(host.install_requested):
        if isinstance(said, int):
            code = said
        else:
            text = (text + said)[-INSTALL_LOG:]
    await run_until_available(services.host_install_store, host=host, log=text, exit_code=code)
