"""Hosts and disks of the OSDs of a Ceph pool.

An OSD host is matched to a host of benchlab by its name and an address of the OSD. A name alone may
be that of a copied image, and an address alone that of a container network.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from apps.inventory.models import Host, Pool
from apps.remote.cluster_responses import CephDaemon, ClusterOsd


@dataclass(frozen=True)
class OsdHost:
    """A host with its OSDs, by its name in the cluster.

    `host` is None if benchlab has no host with this name and address.
    """

    name: str
    osds: tuple[ClusterOsd, ...]
    host: Host | None = None

    @property
    def host_id(self) -> int | None:
        return self.host.pk if self.host else None

    @property
    def numbers(self) -> list[int]:
        return sorted(osd["id"] for osd in self.osds)

    @property
    def devices(self) -> list[str]:
        return sorted({name for osd in self.osds for name in osd["devices"]})

    @property
    def identity(self) -> str:
        """Return the identity of its OSDs for the agent: "osds:0,3"."""
        return "osds:" + ",".join(map(str, self.numbers))


def pool_osd_hosts(pool: Pool) -> list[OsdHost]:
    """Return the OSD hosts of a pool, by name; none if the cluster is unknown.

    OSDs that are down or out are left out.
    """
    cluster = pool.host.cluster
    by_name: dict[str, list[ClusterOsd]] = defaultdict(list)
    for osd in cluster.osds if cluster else []:
        if not (osd["up"] and osd["is_in"]):
            continue
        by_name[osd["host"]].append(osd)
    known = known_hosts() if by_name else []
    return [
        OsdHost(name, tuple(osds), matching_host(name, osds, known))
        for name, osds in sorted(by_name.items())
    ]


def known_hosts() -> list[Host]:
    """Return the hosts that daemons of a cluster may be on, enabled ones first."""
    rows = Host.objects.exclude(kind=Host.Kind.IMPORTED_ONLY).filter(facts__isnull=False)
    return list(rows.select_related("facts").order_by("-enabled", "pk"))


def matching_host(
    name: str, daemons: Iterable[ClusterOsd] | Iterable[CephDaemon], known: Iterable[Host]
) -> Host | None:
    """Return the known host with this name and an address of its daemons."""
    addresses = {address for one in daemons for address in one["addresses"]}
    result = (host for host in known if _short(host.known.hostname or "") == _short(name))
    return next((host for host in result if addresses & _addresses(host)), None)


def _short(name: str) -> str:
    """Return a host name without its domain, which `ceph osd metadata` may leave out."""
    return name.partition(".")[0].lower()


def _addresses(host: Host) -> set[str]:
    cards = {address for card in host.known.nics for address in card.addresses}
    return cards | {host.address, host.network_test_address}
