"""The lab's targets that a plan may name: all of them for a form, and those of given values."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.db.models import F, QuerySet

from apps.inventory.models import Directory, Disk, Host, HostPair, Pool, TargetGroup

from .things import Thing, target_value

VALUE = re.compile(r"(disk|directory|pool|group):([0-9]{1,18})|pair:([0-9]{1,18})-([0-9]{1,18})")
Named = dict[str, Thing]


def hosts_offered() -> QuerySet[Host]:
    """Hosts that tests can be run on, by name; the archive's are in results only."""
    return Host.objects.exclude(kind=Host.Kind.ARCHIVE).order_by("name")


def disks_offered() -> QuerySet[Disk]:
    """Every disk a plan could name, host by host, the enrolled ones first."""
    rows = Disk.objects.exclude(host__kind=Host.Kind.ARCHIVE).select_related("host")
    return rows.order_by("host__name", F("enrolled_at").asc(nulls_last=True), "node")


def directories_offered() -> QuerySet[Directory]:
    rows = Directory.objects.exclude(host__kind=Host.Kind.ARCHIVE).select_related("host")
    return rows.order_by("host__name", "path")


def pools_offered() -> QuerySet[Pool]:
    rows = Pool.objects.exclude(host__kind=Host.Kind.ARCHIVE).select_related("host")
    return rows.prefetch_related("clients").order_by("host__name", "name")


def groups_offered() -> QuerySet[TargetGroup]:
    return TargetGroup.objects.prefetch_related("disks__host", "directories__host").order_by("name")


def targets_named(values: Iterable[str]) -> list[Thing]:
    """The targets of values such as "disk:12" or "pair:5-7" with their hosts' facts, in the order
    given. A pair without a row comes as a fresh one, which saving the plan keeps.

    Values that name nothing, or a host of the archive, are left out.
    """
    wanted = list(dict.fromkeys(str(value) for value in values))
    keys: dict[str, list[int]] = {}
    pairs: dict[str, tuple[int, int]] = {}
    for value in wanted:
        match = VALUE.fullmatch(value)
        if match and match[1]:
            keys.setdefault(match[1], []).append(int(match[2]))
        elif match:
            pairs[value] = (int(match[3]), int(match[4]))
    found = _rows(keys) | pairs_of(pairs)
    return [found[value] for value in wanted if value in found]


def pairs_of(wanted: dict[str, tuple[int, int]]) -> Named:
    """Pairs by their values: kept ones, and fresh ones for two hosts that no row pairs yet."""
    if not wanted:
        return {}
    ids = {pk for ends in wanted.values() for pk in ends}
    hosts = hosts_offered().select_related("facts").in_bulk(list(ids))
    rows = HostPair.objects.filter(client__in=ids, server__in=ids)
    known = {(row.client_id, row.server_id): row.pk for row in rows}
    found: Named = {}
    for value, (client, server) in wanted.items():
        if client in hosts and server in hosts and client != server:
            pk = known.get((client, server))
            found[value] = HostPair(pk=pk, client=hosts[client], server=hosts[server])
    return found


def mesh_of(hosts: Iterable[int]) -> list[str]:
    """Every ordered pair of these hosts, as values."""
    ids = list(dict.fromkeys(hosts))
    return [f"pair:{one}-{other}" for one in ids for other in ids if one != other]


def _rows(keys: dict[str, list[int]]) -> Named:
    archive = {"host__kind": Host.Kind.ARCHIVE}
    wanted: dict[str, QuerySet[Thing]] = {
        "disk": Disk.objects.exclude(**archive).select_related("host__facts"),
        "directory": Directory.objects.exclude(**archive).select_related("host__facts"),
        "pool": Pool.objects.exclude(**archive)
        .select_related("host__facts")
        .prefetch_related("clients__facts"),
        "group": TargetGroup.objects.prefetch_related(
            "disks__host__facts", "directories__host__facts"
        ),
    }
    things = [thing for kind, ids in keys.items() for thing in wanted[kind].filter(pk__in=ids)]
    return {target_value(thing): thing for thing in things}
