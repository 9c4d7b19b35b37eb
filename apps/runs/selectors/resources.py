"""Resources that a run claims exclusively, and the runs that hold them.

A resource is "host:<id>", "machine:<name>" (all entries of one machine), "disk:<claim>"
(`Disk.claim`), "pool:<name>@<host id>" or "ceph:<cluster id>" (`CephCluster.claim`).
See docs/adr/0007-claims-need-proof.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.db.models import Exists, OuterRef, Q

from apps.inventory.models import CephCluster, Disk, Host
from apps.inventory.selectors.host_identity import entries_of_machines, machines_of
from apps.runs.models import Claim, Run, RunState, RunTargetMember, RunTuning
from apps.tools.messages import message
from apps.tools.translation import gettext_noop
from apps.tuning.schemas.settings import CEPH

CEPH_SETTINGS = [{"kind": "ceph"}]
DISK_KIND, POOL_KIND = "disk", "pool"


def resources_of(run: Run, members: Sequence[RunTargetMember] | None = None) -> list[str]:
    """Return the sorted resources of a run, or of these members only.

    A host includes its machine. A pool or a Ceph setting includes the whole cluster.
    """
    members = members_of(run) if members is None else members
    ids = {member.host_id for member in members}
    result = {f"host:{pk}" for pk in ids}
    result |= {f"machine:{name}" for names in machines_of(ids).values() for name in names}
    result |= _disks(members) | _clusters(ceph_clients(run, members)) | _pools(members)
    return sorted(result)


def ceph_clients(run: Run, members: Sequence[RunTargetMember] | None = None) -> list[Host]:
    """Return the hosts that are clients of a Ceph cluster in this run."""
    rows = members_of(run) if members is None else members
    ids = {member.host_id for member in rows if member.kind == POOL_KIND}
    if _sets_ceph_options(run):
        ids |= {member.host_id for member in rows if member.position == 0}
    hosts = Host.objects.filter(pk__in=ids).select_related("cluster").order_by("pk")
    return list(hosts) if ids else []


def _sets_ceph_options(run: Run) -> bool:
    return any(setting.kind == CEPH for t in run.tunings.all() for setting in t.settings)


def members_of(run: Run) -> list[RunTargetMember]:
    """Return the members of a run, target by target."""
    rows = RunTargetMember.objects.filter(run_target__run=run)
    return list(rows.order_by("run_target__position", "position"))


def _pools(members: Iterable[RunTargetMember]) -> set[str]:
    """Return pools by name and first client."""
    first: dict[int, RunTargetMember] = {}
    for member in members:
        if member.kind == POOL_KIND:
            first.setdefault(member.run_target_id, member)
    return {f"pool:{member.identity}@{member.host_id}" for member in first.values()}


def _disks(members: Iterable[RunTargetMember]) -> set[str]:
    disks = [member for member in members if member.kind == DISK_KIND]
    rows = Disk.objects.filter(target__in=[member.target_id for member in disks]) if disks else []
    claims: dict[int | None, str] = {disk.pk: disk.claim for disk in rows}
    return {f"disk:{claims.get(m.target_id, f'{m.identity}@{m.host_id}')}" for m in disks}


def _clusters(hosts: Collection[Host]) -> set[str]:
    return {host.cluster.claim for host in hosts if host.cluster}


def held_reason(wanted: Sequence[str]) -> str:
    """Return which run holds one of the resources; "" if all are free."""
    held = Claim.objects.filter(resource__in=wanted, released_at__isnull=True).first()
    return message(_held_by(held), what=_words(held), run=held.run_id) if held else ""


def _held_by(held: Claim) -> str:
    if held.run.state == RunState.RUNNING:
        return gettext_noop("waits for %(what)s, which run %(run)d holds")
    return gettext_noop(
        "waits for %(what)s, where an abandoned attempt of run %(run)d may still run"
    )


def needs_one_of(wanted: Sequence[str]) -> Q:
    """Return the filter of members that need one of these hosts, disks or clusters."""
    hosts = {int(name) for name in _named(wanted, "host")}
    hosts |= entries_of_machines(_named(wanted, "machine"))
    shared = [name for name in _named(wanted, "disk") if "@" not in name]
    twins = Disk.objects.filter(
        identity__in=shared, is_distinct_device=False, enrolled_at__isnull=False
    )
    same = [target for target in twins.values_list("target", flat=True) if target is not None]
    result = Q(host__in=hosts) | Q(target__in=same)
    clusters = [int(name) for name in _named(wanted, "ceph")]
    return result | _uses_one_of(clusters) if clusters else result


def _uses_one_of(clusters: Collection[int]) -> Q:
    """Members of runs on pools of these clusters, or with a tuning that sets Ceph options."""
    tuned = RunTuning.objects.filter(
        run=OuterRef("run_target__run"), settings__rows__contains=CEPH_SETTINGS
    )
    return (Q(kind=POOL_KIND) | Exists(tuned)) & Q(host__cluster__in=clusters)


def _named(wanted: Sequence[str], kind: str) -> list[str]:
    start = f"{kind}:"
    return [name.removeprefix(start) for name in wanted if name.startswith(start)]


def _words(held: Claim) -> str:
    kind, _, name = held.resource.partition(":")
    if kind == "host":
        host = Host.objects.filter(pk=int(name)).first()
        return message("host %(name)s", name=host.name if host else name)
    if kind == "machine":
        return message("this host's machine, entered twice (both show the same SSH host key)")
    if kind == "pool":
        return message("pool %(name)s", name=name.rpartition("@")[0])
    if kind == "ceph":
        cluster = CephCluster.objects.filter(pk=int(name)).first()
        fsid = cluster.fsid if cluster else name
        return message("Ceph cluster %(fsid)s (%(hosts)s)", fsid=fsid, hosts=_clients(held))
    identity = name.partition("@")[0]
    return message("disk %(disk)s", disk=str(_disk(held, identity) or identity))


def _clients(held: Claim) -> str:
    names = ", ".join(host.name for host in ceph_clients(held.run))
    return names or message("its clients are gone")


def _disk(held: Claim, identity: str) -> Disk | None:
    """Return the disk of the claim, preferably on a host of its run."""
    rows = Disk.objects.filter(identity=identity).select_related("host")
    hosts = {member.host_id for member in members_of(held.run)}
    return rows.filter(host__in=hosts).first() or rows.first()
