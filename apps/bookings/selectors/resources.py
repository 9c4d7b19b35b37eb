"""Names of the resources that a booking closes, as runs claim them.

See apps.runs.selectors.resources: "host:<id>", "machine:<name>", "disk:<claim>",
"pool:<name>@<host id>" and "ceph:<cluster id>".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from apps.bookings.models import Booking, BookingRequest
from apps.inventory.models import Disk, Pool
from apps.inventory.selectors.host_identity import machines_of
from apps.inventory.selectors.osd_hosts import pool_osd_hosts


def closed_resources(
    bookings: Iterable[Booking] | Iterable[BookingRequest],
) -> dict[int, frozenset[str]]:
    """Return the resources of each row; the rows have their hosts and pools prefetched."""
    rows: list[Booking | BookingRequest] = list(bookings)
    hosts = {host.pk for row in rows for host in row.hosts.all()}
    by_host = host_resources(hosts)
    result: dict[int, frozenset[str]] = {}
    for row in rows:
        names = {name for host in row.hosts.all() for name in by_host[host.pk]}
        names |= {name for pool in row.pools.all() for name in pool_resources(pool)}
        result[row.pk] = frozenset(names)
    return result


def names_within(booking: Booking, resources: Collection[str]) -> list[str]:
    """Return the names of the hosts and pools of a booking that close one of the resources."""
    names, hosts = frozenset(resources), list(booking.hosts.all())
    by_host = host_resources(host.pk for host in hosts)
    return [
        *sorted(host.name for host in hosts if by_host[host.pk] & names),
        *sorted(str(pool) for pool in booking.pools.all() if pool_resources(pool) & names),
    ]


def host_resources(hosts: Iterable[int]) -> dict[int, set[str]]:
    """Return the resources of hosts: the entry, its machine, its enrolled disks, its OSDs.

    A disk that another host reaches too is closed there as well. A test of a Ceph cluster loads all
    hosts of its OSDs, so the cluster is closed with any of them.
    """
    ids = set(hosts)
    if not ids:
        return {}
    result = {pk: {f"host:{pk}"} for pk in ids}
    for pk, names in machines_of(ids).items():
        result[pk] |= {f"machine:{name}" for name in names}
    disks = Disk.objects.filter(host__in=ids, enrolled_at__isnull=False)
    for disk in disks:
        result[disk.host_id].add(f"disk:{disk.claim}")
    for pk, names in _clusters_of_osd_hosts().items():
        if pk in result:
            result[pk] |= names
    return result


def pool_resources(pool: Pool) -> set[str]:
    """Return the resources of a pool: its whole cluster, as other pools load the same OSDs."""
    names = {f"pool:{pool.name}@{pool.host_id}"}
    cluster = pool.cluster or pool.host.cluster
    return names | ({cluster.claim} if cluster else set())


def _clusters_of_osd_hosts() -> dict[int, set[str]]:
    """Return the Ceph clusters with OSDs on each host, as resources."""
    pools = Pool.objects.select_related("host__cluster").exclude(host__cluster=None)
    result: dict[int, set[str]] = defaultdict(set)
    for cluster, pool in {pool.host.cluster_id: pool for pool in pools}.items():
        for osd in pool_osd_hosts(pool):
            if osd.host_id is not None:
                result[osd.host_id].add(f"ceph:{cluster}")
    return result
