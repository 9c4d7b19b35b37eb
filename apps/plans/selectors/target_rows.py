"""Target rows as plain data for the expansion, and their labels.

Disks and directories have no members; other kinds do.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q
from django.utils.translation import gettext as _

from apps.inventory.models import Directory, Disk, Host, HostPair, Pool, TargetGroup
from apps.inventory.selectors.daemon_hosts import DaemonHost, pool_daemon_hosts
from apps.plans.schemas.targets import (
    PlannedCluster,
    PlannedDaemons,
    PlannedHost,
    PlannedMember,
    PlannedOsdHost,
    PlannedTarget,
    Role,
)
from apps.tools.targets import PoolPlan

# The host of a group that has become empty.
NOBODY = PlannedHost(0, "")
MAX_NAMES = 6


def host_data(host: Host) -> PlannedHost:
    facts = host.facts
    return PlannedHost(
        id=host.pk,
        name=host.name,
        enabled=host.enabled,
        root=host.privilege_mode != Host.PrivilegeMode.USER,
        cpu_count=facts.cpu_count if facts else None,
        memory_bytes=host.known.memory if facts else None,
        link_bits_per_second=_link_speed(host) if facts else None,
        tools=host.known.tools or {} if facts else None,
        machine=host.known.machine_id or "",
        options={name: frozenset(listed) for name, listed in (host.known.options or {}).items()},
        owner_limits=host.known.owner_limits,
    )


def _link_speed(host: Host) -> float | None:
    """Return the speed of the fastest card with an address in bits/s; None if unknown."""
    speeds = [card.speed for card in host.known.nics if card.addresses and card.speed]
    return max(speeds) * 1e6 if speeds else None


def pool_plan(pool: Pool) -> PoolPlan | None:
    """Return the layout that an ephemeral pool is created with; None for an existing one."""
    if not pool.is_ephemeral:
        return None
    erasure = pool.pool_type == Pool.PoolType.ERASURE
    return PoolPlan(
        pg_num=pool.pg_num,
        replicas=None if erasure else pool.replicas,
        k=pool.k if erasure else 0,
        m=pool.m if erasure else 0,
        failure_domain="osd" if pool.failure_domain == Pool.FailureDomain.OSD else "host",
    )


def pool_clients(pool: Pool) -> list[Host]:
    """Return the client hosts, the first one first."""
    return [pool.host, *(host for host in pool.clients.all() if host.pk != pool.host_id)]


def pool_words(pool: Pool) -> str:
    """Return e.g. "node1: pool bench (node1, node2)"."""
    names = [host.name for host in pool_clients(pool)]
    return f"{pool} ({', '.join(names)})" if len(names) > 1 else str(pool)


def group_rows(group: TargetGroup) -> tuple[list[Disk], list[Directory]]:
    """Return a group's disks and directories in the order of use."""
    disks = sorted(group.disks.all(), key=lambda disk: (disk.host.name, disk.device_path, disk.pk))
    rows = sorted(group.directories.all(), key=lambda row: (row.host.name, row.path))
    return disks, rows


def group_words(group: TargetGroup) -> str:
    """Return e.g. "fast ones: node1 sdb, node2 sdb"; of many members their number."""
    disks, rows = group_rows(group)
    names = [f"{disk.host.name} {disk_name(disk)}" for disk in disks]
    names += [f"{row.host.name} {row.path}" for row in rows]
    if len(names) > MAX_NAMES:
        more = len(names) - MAX_NAMES + 1
        names = [*names[: MAX_NAMES - 1], _("and %d more") % more]
    return f"{group.name}: {', '.join(names)}" if names else group.name


def disk_name(disk: Disk) -> str:
    """Return the disk's name on its host: "sdb"."""
    return disk.device_path.removeprefix("/dev/") or disk.identity


def disk_data(disk: Disk) -> PlannedTarget:
    return _single(_disk(disk))


def directory_data(row: Directory) -> PlannedTarget:
    return _single(_directory(row))


def _single(part: PlannedMember) -> PlannedTarget:
    return PlannedTarget(
        part.kind, part.id, part.identity, part.label, part.host, part.size, part.enrolled,
        part.schedulers, part.zoned, is_rotational=part.is_rotational,
        backing=part.backing, device_kind=part.device_kind, server=part.server,
        server_memory=part.server_memory,
    )  # fmt: skip


def _disk(disk: Disk) -> PlannedMember:
    return PlannedMember(
        kind="disk",
        id=disk.pk,
        identity=disk.identity,
        name=disk_name(disk),
        label=str(disk),
        host=host_data(disk.host),
        size=disk.size or None,
        enrolled=disk.is_enrolled,
        schedulers=disk.known.queue.schedulers,
        zoned=disk.known.zoned or "",
        device_kind=disk.known.kind or "",
        is_rotational=disk.rotational if disk.known.identity else None,
        backing=disk.array,
    )


def _directory(row: Directory) -> PlannedMember:
    mount = row.host.known.mount(row.path)
    server = mount.server if mount is not None and mount.is_remote else ""
    return PlannedMember(
        "directory",
        row.pk,
        row.path,
        row.path,
        str(row),
        host_data(row.host),
        server=server,
        server_memory=_memory_of(server) if server else None,
    )


def _memory_of(server: str) -> int | None:
    """Return the memory of the host with this name or address; None if it is no host here."""
    host = Host.objects.filter(Q(name=server) | Q(address=server)).select_related("facts").first()
    return host.known.memory if host is not None else None


def pool_data(pool: Pool) -> PlannedTarget:
    members = tuple(
        PlannedMember(
            "pool", pool.pk, pool.name, host.name, str(pool), host_data(host), make=pool_plan(pool)
        )
        for host in pool_clients(pool)
    )
    cluster, hosts = pool.host.cluster, pool_daemon_hosts(pool)
    osds, mons, mdss = (_daemons(hosts, kind) for kind in ("osd", "mon", "mds"))
    return PlannedTarget(
        "pool",
        pool.pk,
        pool.name,
        pool_words(pool),
        members[0].host,
        members=members,
        osd_hosts=osds.hosts,
        unreachable_osd_hosts=osds.unreachable,
        daemons={"mon": mons, "mds": mdss},
        restarts=pool.host.restartable_kinds,
        slow_options=cluster.restart_daemons if cluster else {},
        option_names=frozenset(cluster.option_names if cluster else []),
        observed=pool.monitor_osd_hosts,
        cluster=_cluster(pool),
    )


def _cluster(pool: Pool) -> PlannedCluster | None:
    cluster = pool.host.cluster
    if cluster is None or pool.host.cluster_changed:
        return None
    return PlannedCluster(
        cluster.fsid, frozenset(one["id"] for one in cluster.osds), cluster.may_be_disturbed
    )


def _daemons(hosts: Sequence[DaemonHost], kind: str) -> PlannedDaemons:
    mine = [one for one in hosts if one.kind == kind]
    reached = (PlannedOsdHost(host_data(one.host), one.identity) for one in mine if one.host)
    return PlannedDaemons(tuple(reached), tuple(one.name for one in mine if not one.host))


def pair_data(pair: HostPair) -> PlannedTarget:
    ends: list[tuple[Host, Role]] = [(pair.client, "client"), (pair.server, "server")]
    members = tuple(
        PlannedMember(
            "pair", pair.pk or 0, pair.address, host.name, str(pair), host_data(host), role=role
        )
        for host, role in ends
    )
    return PlannedTarget(
        "pair", pair.pk or 0, pair.address, str(pair), members[0].host, members=members
    )


def group_data(group: TargetGroup) -> PlannedTarget:
    """Return a group for the expansion, with members sorted by host; the first host leads."""
    disks, rows = group_rows(group)
    parts = [*map(_disk, disks), *map(_directory, rows)]
    parts.sort(key=lambda part: part.host.name)
    sizes = [part.size for part in parts if part.size is not None]
    return PlannedTarget(
        kind="group",
        id=group.pk,
        identity="",
        label=group_words(group),
        level=group.level,
        host=parts[0].host if parts else NOBODY,
        size=min(sizes, default=None),
        enrolled=all(part.enrolled for part in parts),
        members=tuple(parts),
    )
