"""Effects of a run on its targets: where commands run, and what is there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from apps.inventory.domain.fingerprints import content_status
from apps.inventory.models import CephCluster, Disk, Host
from apps.runs.domain.effects import canonical, sha256
from apps.runs.models import RunTarget, RunTargetMember
from apps.runs.schemas import MemberEffect, TargetEffect


def target_effects(
    targets: Iterable[RunTarget], restarts: Collection[int]
) -> dict[int, TargetEffect]:
    """Return the effect of each target. `restarts`: targets for which daemons are restarted."""
    rows = list(targets)
    members = [member for row in rows for member in row.all_members]
    hosts = Host.objects.select_related("cluster").in_bulk({m.host_id for m in members})
    disks = {
        disk.target_id: disk
        for disk in Disk.objects.filter(target__in=[m.target_id for m in members if m.target_id])
    }
    return {
        row.pk: TargetEffect(
            row.kind,
            row.level,
            tuple(_member(one, hosts, disks, row.pk in restarts) for one in row.all_members),
        )
        for row in rows
    }


def _member(
    member: RunTargetMember, hosts: Mapping[int, Host], disks: Mapping[int, Disk], restarts: bool
) -> MemberEffect:
    host, disk = hosts[member.host_id], disks.get(member.target_id or 0)
    return MemberEffect(
        host=_host(host),
        kind=member.kind,
        role=member.role,
        identity=member.identity,
        size=member.size or 0,
        pool_layout=canonical(member.pool_layout) if member.pool_layout else "",
        content=_content(disk) if disk else "",
        restarts=_restarts(host.cluster) if restarts and host.cluster else "",
    )


def _host(host: Host) -> str:
    """Return how benchlab reaches a host and with which rights, and the SHA-256 of its key."""
    login = f"{host.user}@{host.address}:{host.port} {host.privilege_mode}"
    parts = (str(host.pk), login, host.network_test_address, sha256(host.host_key)[:16])
    return " ".join(filter(None, parts))


def _restarts(cluster: CephCluster) -> str:
    """Return how daemons of the cluster may be restarted: all of its fields about that."""
    names = [one.name for one in cluster._meta.concrete_fields if "_restart_" in one.name]
    values = ((name, getattr(cluster, name)) for name in sorted(names))
    return ", ".join(f"{name} = {value}" for name, value in values if value)


def _content(disk: Disk) -> str:
    """Return what is known of the content of a disk.

    Data of benchlab's own tests is equal to other such data, so that a relaunch has equal effects.
    """
    status = content_status(disk.fingerprint)
    if disk.content_changed or status in ("", "enrolment"):
        return sha256([disk.fingerprint, disk.content_changed, disk.is_enrolled])
    return "test"
