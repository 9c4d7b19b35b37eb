"""Hosts of the daemons behind a Ceph pool: OSDs, monitors and MDS."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from apps.inventory.models import Host, Pool
from apps.inventory.selectors.osd_hosts import known_hosts, matching_host, pool_osd_hosts
from apps.remote.agent.ceph.daemon_names import identity_of
from apps.remote.cluster_responses import CephDaemon


@dataclass(frozen=True)
class DaemonHost:
    """A host with its daemons of one kind, by its name in the cluster.

    `names`: of the daemons, such as "a". `host` is None if benchlab has no host with this name and
    address.
    """

    kind: str
    name: str
    names: tuple[str, ...]
    host: Host | None = None

    @property
    def identity(self) -> str:
        """Return the identity of its daemons for the agent: "mons:a"."""
        return identity_of(self.kind, list(self.names))


def pool_daemon_hosts(pool: Pool) -> list[DaemonHost]:
    """Return the hosts of a pool's OSDs, monitors and MDS; none if the cluster is unknown."""
    cluster = pool.host.cluster
    hosts = [
        DaemonHost("osd", row.name, tuple(map(str, row.numbers)), row.host)
        for row in pool_osd_hosts(pool)
    ]
    return [*hosts, *_hosts_of(cluster.daemons if cluster else [])]


def _hosts_of(daemons: list[CephDaemon]) -> list[DaemonHost]:
    """Return the hosts of monitors and MDS; a daemon that is down is reached by nobody."""
    rows: dict[tuple[str, str], list[CephDaemon]] = defaultdict(list)
    for one in daemons:
        rows[one["kind"], one["host"] or f"{one['kind']}.{one['name']}"].append(one)
    known = known_hosts() if rows else []
    return [
        DaemonHost(kind, name, tuple(one["name"] for one in mine), matching_host(name, mine, known))
        for (kind, name), mine in sorted(rows.items())
    ]
