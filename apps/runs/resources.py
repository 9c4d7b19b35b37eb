"""What a run needs for itself alone, and who has it now.

A resource is "host:<id>"; "machine:<name>", which every entry of one machine shares;
"disk:<claim>" (`Disk.claim`); "pool:<name>@<host id>"; "ceph:<fsid>", or "ceph:<fsid>@<host id>" of
a host of which an admin said that its cluster is its own. What may rest on a host's own word is in
docs/design.md, "A claim rests on what somebody vouches for".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, Q

from apps.inventory.machines import clients_of, entries_of_machines, machines_of
from apps.inventory.models import Disk, Host
from apps.runs.members import members_of
from apps.runs.models import Case, Claim, Run, RunState

TARGETS = ("host_id", "disk_id", "directory_id", "pool_id", "pair_id", "group_id")
CEPH_SETTINGS = [{"kind": "ceph"}]


def resources_of(run: Run, cases: Sequence[Case] | None = None) -> list[str]:
    """Everything a run needs, or only these cases of it, in one order for everybody.

    A host also stands for its machine: two entries of one machine would disturb each other. A pool
    stands for its whole cluster, and so does a tuning that sets options of Ceph.
    """
    cases = _one_of_each_target(run) if cases is None else cases
    ids = {pk for case in cases for pk in case.host_ids}
    found = {f"host:{pk}" for pk in ids}
    found |= {f"machine:{name}" for names in machines_of(ids).values() for name in names}
    found |= _disks(cases) | _clusters(ceph_clients(run, cases))
    for case in cases:
        for member in members_of(case):
            if member.kind == "pool":
                found.add(f"pool:{member.identity}@{case.host_id}")
    return sorted(found)


def ceph_clients(run: Run, cases: Sequence[Case] | None = None) -> list[Host]:
    """The hosts that talk to a Ceph cluster in this run."""
    rows = _one_of_each_target(run) if cases is None else cases
    ids = {pk for case in rows if _uses_pool(case) for pk in case.host_ids}
    if _sets_ceph_options(run):
        ids |= {case.host_id for case in rows}
    return list(Host.objects.filter(pk__in=ids).order_by("pk")) if ids else []


def _sets_ceph_options(run: Run) -> bool:
    tunings = run.plan_copy.get("tunings") or ()
    return any(row.get("kind") == "ceph" for t in tunings for row in t.get("settings") or ())


def _one_of_each_target(run: Run) -> Sequence[Case]:
    """A case of every target: members are frozen at the launch, so all its cases say the same."""
    rows = run.cases.select_related("host", "disk", "directory")
    return list(rows.order_by(*TARGETS).distinct(*TARGETS))


def _uses_pool(case: Case) -> bool:
    return any(member.kind == "pool" for member in members_of(case))


def _disks(cases: Sequence[Case]) -> set[str]:
    members = [member for case in cases for member in members_of(case) if member.kind == "disk"]
    rows = Disk.objects.filter(pk__in=[member.id for member in members]) if members else []
    claims = {disk.pk: disk.claim for disk in rows}
    return {f"disk:{claims.get(m.id or 0, f'{m.identity}@{m.host}')}" for m in members}


def _clusters(hosts: Collection[Host]) -> set[str]:
    known = [host for host in hosts if host.cluster_fsid]
    return {f"ceph:{h.cluster_fsid}{f'@{h.pk}' if h.cluster_is_own else ''}" for h in known}


def blocker_of(run: Run, wanted: Sequence[str]) -> str:
    """Why a queued run cannot start yet; "" when everything it needs is free and its turn."""
    held = Claim.objects.filter(resource__in=wanted, released_at__isnull=True).first()
    if held is not None:
        return f"waits for {_words(held)}, {_held_by(held)}"
    older = Run.objects.filter(state=RunState.QUEUED, pk__lt=run.pk)
    cases = Case.objects.filter(run=OuterRef("pk"))
    first = older.filter(Exists(cases.filter(_needs_one_of(wanted)))).first()
    return f"waits its turn behind run {first.pk}" if first is not None else ""


def _held_by(held: Claim) -> str:
    if held.run.state == RunState.RUNNING:
        return f"which run {held.run_id} holds"
    return f"on which a test of run {held.run_id} that was given up may still be at work"


def _needs_one_of(wanted: Sequence[str]) -> Q:
    """Cases that need one of these: by their hosts, their disks and their clusters."""
    hosts = {int(name) for name in _named(wanted, "host")}
    hosts |= entries_of_machines(_named(wanted, "machine"))
    shared = [name for name in _named(wanted, "disk") if "@" not in name]
    twins = Disk.objects.filter(identity__in=shared, is_own_device=False, enrolled_at__isnull=False)
    same = list(twins.values_list("pk", flat=True))
    members = [Q(members__contains=[{"kind": "disk", "id": pk}]) for pk in same]
    clusters = [_uses_cluster(fsid) for fsid in _named(wanted, "ceph") if "@" not in fsid]
    return reduce(or_, [*members, *clusters], _on(list(hosts)) | Q(disk_id__in=same))


def _uses_cluster(fsid: str) -> Q:
    clients = list(clients_of(fsid).values_list("pk", flat=True))
    asks = Q(pool__isnull=False) | Q(tuning_settings__contains=CEPH_SETTINGS)
    return asks & _on(clients)


def _on(hosts: list[int]) -> Q:
    return Q(host_id__in=hosts) | Q(hosts__overlap=hosts)


def _named(wanted: Sequence[str], kind: str) -> list[str]:
    start = f"{kind}:"
    return [name.removeprefix(start) for name in wanted if name.startswith(start)]


def _words(held: Claim) -> str:
    kind, _, name = held.resource.partition(":")
    if kind == "host":
        host = Host.objects.filter(pk=int(name)).first()
        return f"host {host.name}" if host else f"host {name}"
    if kind == "machine":
        return "this host's machine, entered twice (both show the same SSH host key)"
    if kind == "pool":
        return f"pool {name.rpartition('@')[0]}"
    if kind == "ceph":
        return f"Ceph cluster {name.partition('@')[0]} ({_clients(held)})"
    identity = name.partition("@")[0]
    return f"disk {_disk(held, identity) or identity}"


def _clients(held: Claim) -> str:
    return ", ".join(host.name for host in ceph_clients(held.run)) or "its clients are gone"


def _disk(held: Claim, identity: str) -> Disk | None:
    """The disk as the run that holds it knows it."""
    rows = Disk.objects.filter(identity=identity).select_related("host")
    hosts = {pk for case in _one_of_each_target(held.run) for pk in case.host_ids}
    return rows.filter(host__in=hosts).first() or rows.first()
