"""What a run needs for itself alone (hosts, their machines, disks, pools), and who has it now.

A resource is "host:<id>", "machine:<machine id>", "disk:<identity>" or "pool:<name>@<host id>".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, Q

from apps.inventory.models import Disk, Host
from apps.runs.members import members_of
from apps.runs.models import Case, Claim, Run, RunState

TARGETS = ("host_id", "disk_id", "directory_id", "pool_id", "pair_id", "group_id")


def resources_of(run: Run) -> list[str]:
    """Everything a run needs, in one order for everybody.

    A host also stands for its machine: two entries of one machine would disturb each other. A pool
    is named with its first host, which tells clusters apart.
    """
    cases = _one_of_each_target(run)
    ids = {pk for case in cases for pk in case.host_ids}
    found = {f"host:{pk}" for pk in ids} | _machines(ids)
    for case in cases:
        for member in members_of(case):
            if member.kind == "disk":
                found.add(f"disk:{member.identity}")
            elif member.kind == "pool":
                found.add(f"pool:{member.identity}@{case.host_id}")
    return sorted(found)


def _one_of_each_target(run: Run) -> Sequence[Case]:
    """A case of every target: members are frozen at the launch, so all its cases say the same."""
    rows = run.cases.select_related("host", "disk", "directory")
    return list(rows.order_by(*TARGETS).distinct(*TARGETS))


def _machines(hosts: Iterable[int]) -> set[str]:
    rows = Host.objects.filter(pk__in=list(hosts)).values_list("facts__data__machine_id", flat=True)
    return {f"machine:{machine}" for machine in rows if machine}


def blocker_of(run: Run, wanted: Sequence[str]) -> str:
    """Why a queued run cannot start yet; "" when everything it needs is free and its turn."""
    held = Claim.objects.filter(resource__in=wanted, released_at__isnull=True).first()
    if held is not None:
        return f"waits for {_words(held)}, which run {held.run_id} holds"
    older = Run.objects.filter(state=RunState.QUEUED, pk__lt=run.pk)
    cases = Case.objects.filter(run=OuterRef("pk"))
    first = older.filter(Exists(cases.filter(_needs_one_of(wanted)))).first()
    return f"waits its turn behind run {first.pk}" if first is not None else ""


def _needs_one_of(wanted: Sequence[str]) -> Q:
    """Cases that need one of these hosts or disks (of a pool: its hosts)."""
    hosts = [int(name.removeprefix("host:")) for name in wanted if name.startswith("host:")]
    disks = [name.removeprefix("disk:") for name in wanted if name.startswith("disk:")]
    members = [Q(members__contains=[{"kind": "disk", "identity": name}]) for name in disks]
    alone = Q(host_id__in=hosts) | Q(hosts__overlap=hosts) | Q(disk__identity__in=disks)
    return reduce(or_, members, alone)


def _words(held: Claim) -> str:
    kind, _, name = held.resource.partition(":")
    if kind == "host":
        host = Host.objects.filter(pk=int(name)).first()
        return f"host {host.name}" if host else f"host {name}"
    if kind == "machine":
        return "this host's machine, entered twice"
    if kind == "pool":
        return f"pool {name.rpartition('@')[0]}"
    return f"disk {_disk(held, name) or name}"


def _disk(held: Claim, identity: str) -> Disk | None:
    """The disk as the run that holds it knows it."""
    rows = Disk.objects.filter(identity=identity).select_related("host")
    hosts = {pk for case in _one_of_each_target(held.run) for pk in case.host_ids}
    return rows.filter(host__in=hosts).first() or rows.first()
