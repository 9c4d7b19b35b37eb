"""Check hosts: read their keys, install the agent, collect their facts."""

from __future__ import annotations

import logging

from apps.execution.cleanup.leftovers import directories_cleared, jobs_forgotten
from apps.execution.engine.disk_check import disk_contents_check
from apps.execution.runtime.database import run_in_thread, run_until_available
from apps.execution.runtime.hosts import HostClients
from apps.execution.selectors.hosts import host_with_connection
from apps.execution.selectors.leftovers import is_claimed, scratch_on, settings_with_cases
from apps.execution.services.host_facts import UNUSABLE
from apps.inventory import services
from apps.inventory.domain.unrestored_settings import unrestored_settings
from apps.inventory.models import Host
from apps.inventory.schemas.host_facts import KnownFacts, known
from apps.inventory.selectors.host_batches import authorities_of
from apps.inventory.selectors.inventory import host_spec
from apps.remote.client import Client
from apps.remote.cluster_responses import ClusterResponse
from apps.remote.errors import HostError, InvalidResponse
from apps.remote.host_certificates import certified_key
from apps.remote.ssh import scan_host_key
from apps.tools.messages import message
from apps.tools.registry import programs

log = logging.getLogger(__name__)

# Characters stored of a package manager's output.
INSTALL_LOG = 20_000


NO_CEPH = "ceph is not installed on it."


async def check_host(host_clients: HostClients, host_id: int) -> None:
    """Read the key of a new host; else connect, install what is requested, and read its facts."""
    host = await run_in_thread(host_with_connection, host_id)
    try:
        if host.kind == Host.Kind.SSH and not host.host_key:
            await _read_host_key(host)
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
        # Not retried: the answer stays invalid until an admin fixes the host.
        log.warning("check of %s: what it says cannot be used", host.name, exc_info=error)
        answer = InvalidResponse(
            host.name, message("its own description cannot be used (%(why)s)", why=str(error))
        )
        await run_until_available(
            services.host_check_failed, host=host, kind=answer.kind, reason=answer.message
        )


async def _read_host_key(host: Host) -> None:
    """Pin the key that a trusted authority certifies; else offer it for comparison."""
    spec = await run_in_thread(host_spec, host)
    authorities = await run_in_thread(authorities_of, host)
    if authorities:
        key = await certified_key(spec, [host.address, host.name], authorities)
        if key is not None:
            await run_until_available(services.host_key_certified, host=host, line=key.line)
            return
    key = await scan_host_key(spec)
    await run_until_available(services.host_key_offered, host=host, line=key.line)


async def _measure(client: Client, host: Host) -> None:
    pings = [await client.ping() for _ in range(5)]
    best = min(pings, key=lambda ping: ping.seconds)
    journals = (await client.restore_settings()).open
    unrestored = await run_until_available(settings_with_cases, unrestored_settings(journals))
    facts = await client.facts(programs())
    has_ceph = (known(KnownFacts, facts).tools or {}).get("ceph")
    answer = await client.cluster() if has_ceph else ClusterResponse(fsid="", error=NO_CEPH)
    await run_until_available(
        services.host_cluster_store,
        host=host,
        fsid=answer.fsid or "",
        error=answer.error,
        osds=answer.osds,
        daemons=answer.daemons,
        options=answer.options,
        restart=answer.restart,
        services=answer.services,
    )
    await disk_contents_check(client, host.pk)
    await run_until_available(
        services.host_check_store,
        host=host,
        facts=facts,
        round_trip_seconds=best.seconds,
        clock_offset=best.clock_offset,
        unrestored=unrestored,
        free=best.free,
    )
    if host.cleanup_pending_since:
        await _tidy_up(client, host.pk)


async def _tidy_up(client: Client, host_id: int) -> None:
    """Remove what ended runs could not remove, unless a run claims the host."""
    if await run_until_available(is_claimed, host_id):
        return
    done = await directories_cleared(client, await run_until_available(scratch_on, host_id))
    if await jobs_forgotten(client, host_id) and done:
        await run_until_available(services.host_cleanup_done, host_id=host_id)


async def _install(client: Client, host: Host) -> None:
    text, code = "", -1
    async for part in client.install(host.install_requested):
        if isinstance(part, int):
            code = part
        else:
            text = (text + part)[-INSTALL_LOG:]
    await run_until_available(services.host_install_store, host=host, log=text, exit_code=code)
